import Foundation
import Posix

/// The pipeline file on disk: YAML, of which every key, type and value is checked.
package struct PipelineFile {
    /// Reads a pipeline file, or throws everything that is wrong with it.
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
        let reader = PipelineFileReader(file: path)
        let (bytes, folder): ([UInt8]?, String)
        do {
            (bytes, folder) = (try read(path), try self.folder(of: path))
        } catch {
            throw PipelineFileError(problems: [reader.problem(.unreadable(error.code), at: .start)])
        }
        guard let bytes else { throw PipelineFileError(problems: [reader.problem(.notRegular, at: .start)]) }
        guard bytes.count <= mostBytes else {
            throw PipelineFileError(problems: [reader.problem(.tooLarge(limit: mostBytes), at: .start)])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PipelineFileError(problems: [reader.problem(.notUTF8, at: .start)])
        }
        return (text, folder)
    }

    /// The bytes of a file, at most one more than a pipeline file may have. Nil for a FIFO, a socket or a device.
    private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
        // O_NONBLOCK: without it, opening a FIFO waits for a writer.
        let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        defer { file.close() }
        var status = stat()
        guard fstat(file.number, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
        var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
        let count = try file.fill(&bytes, 0..<bytes.count)
        return Array(bytes.prefix(count))
    }

    /// Reads the text of a pipeline file.
    ///
    /// - Parameters:
    ///   - file: its path; messages show it.
    ///   - folder: the absolute folder that its patterns are relative to.
    package static func read(_ text: String, file: String, folder: String) throws(PipelineFileError) -> Pipeline {
        var reader = PipelineFileReader(file: file)
        let document: YAMLDocument
        do {
            // A byte order mark is not part of the text.
            document = try YAMLDocument(
                text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
        } catch {
            throw PipelineFileError(problems: [reader.problem(error.fault, at: error.location)])
        }
        return try reader.pipeline(from: document, folder: folder)
    }

    /// The absolute folder of a file, without links, `.` and `..`.
    private static func folder(of path: String) throws(SystemError) -> String {
        let parent = Folder.parent(of: path)
        guard let resolved = realpath(parent, nil) else {
            throw SystemError(call: "realpath", path: parent, code: errno)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension PipelineFileError.Location {
    static let start = Self(line: 1, column: 1)
}
