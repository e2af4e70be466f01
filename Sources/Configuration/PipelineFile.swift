import Foundation
import Messages
import Posix

/// The pipeline file on disk: YAML, of which every key, type and value is checked.
package enum PipelineFile {
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
            let reason = String(cString: strerror(error.code))
            throw reader.error(
                "unreadable", "cannot read the file: \(reason); name another with --pipeline or PUSHETL_PIPELINE")
        }
        guard let bytes else {
            throw reader.error(
                "not_regular", "a pipeline file must be a regular file, not a FIFO, a socket or a device")
        }
        guard bytes.count <= mostBytes else {
            throw reader.error(
                "too_large",
                "the file has more than \(Text.number(mostBytes)) bytes, the most that a pipeline file may have")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw reader.error("not_utf8", "the file is not UTF-8 text")
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
        var reader = PipelineFileReader(file: file, folder: folder)
        // A byte order mark is not part of the text.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        let root: YAMLNode?
        do {
            root = try YAMLComposer(text).root()
        } catch {
            throw reader.error(error.code, error.text, at: error.place)
        }
        guard let root else {
            throw reader.error("empty_file", "the file is empty; it needs 'version' and 'sources'")
        }
        guard let pipeline = reader.pipeline(from: root) else { throw reader.error }
        return pipeline
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
