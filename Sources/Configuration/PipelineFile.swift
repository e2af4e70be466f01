import Foundation
import Messages
import Posix

/// The pipeline file on disk: YAML. Every key, type and value is checked.
package enum PipelineFile {
    /// Reads a pipeline file. Throws all its errors together.
    ///
    /// - Parameter path: absolute, or relative to the working folder; messages show it as it is given.
    package static func read(_ path: String) throws(PipelineFileError) -> Pipeline {
        let (text, folder) = try content(of: path)
        return try read(text, file: path, folder: folder)
    }

    /// The largest file, in bytes: 1 MiB. A pipeline has a few KB.
    private static let mostBytes = 1 << 20

    /// The text of a file, and the absolute folder that its patterns are relative to.
    package static func content(of path: String) throws(PipelineFileError) -> (text: String, folder: String) {
        let (bytes, folder): ([UInt8], String)
        do {
            (bytes, folder) = (
                try WholeFile.beginning(of: path, count: mostBytes + 1), try self.folder(of: path)
            )
        } catch {
            guard error.code != SystemError.notAFile else {
                throw PipelineFileError(
                    .notRegular, text: "a pipeline file must be a regular file, not a FIFO, a socket or a device",
                    in: path)
            }
            let reason = String(cString: strerror(error.code))
            throw PipelineFileError(
                .unreadable, text: "cannot read the file: \(reason); name another with --pipeline or PUSHETL_PIPELINE",
                in: path)
        }
        guard bytes.count <= mostBytes else {
            throw PipelineFileError(
                .tooLarge,
                text: "the file has more than \(Text.number(mostBytes)) bytes, the most that a pipeline file may have",
                in: path)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PipelineFileError(.notUtf8, text: "the file is not UTF-8 text", in: path)
        }
        return (text, folder)
    }

    /// Reads the text of a pipeline file.
    ///
    /// - Parameters:
    ///   - file: its path; messages show it.
    ///   - folder: the absolute folder that its patterns are relative to.
    package static func read(_ text: String, file: String, folder: String) throws(PipelineFileError) -> Pipeline {
        var reader = PipelineFileReader(file: file, folder: folder)
        guard let root = try YAMLComposer(text.withoutByteOrderMark, file: file).root() else {
            throw PipelineFileError(.emptyFile, text: "the file is empty; it needs 'version' and 'sources'", in: file)
        }
        guard let pipeline = reader.pipeline(from: root) else { throw reader.error }
        return pipeline
    }

    /// The absolute folder of a file, without links, `.` and `..`.
    private static func folder(of path: String) throws(SystemError) -> String {
        let parent = Folder.parent(of: path)
        guard let folder = Folder.resolved(parent) else {
            throw SystemError(call: "realpath", path: parent, code: errno)
        }
        return folder
    }
}

extension String {
    /// A byte order mark is not part of the text.
    var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
