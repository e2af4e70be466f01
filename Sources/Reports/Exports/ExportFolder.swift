import Foundation
import Posix

/// What may be in the way of an export, and the files that hold no table.
enum ExportFolder {
    /// Changes nothing.
    /// - Throws: `.notFolder` if something else has the path. No such folder is fine.
    static func check(_ path: String) throws(ExportError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A name above it may be a file.
            if errno == ENOTDIR { throw .notFolder(path: path) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notFolder(path: path) }
    }

    /// Changes nothing.
    /// - Parameter isOurs: whether a file that begins with these bytes may be replaced.
    /// - Throws: `.foreignFile` if something else than such a file has the path. No such file is fine.
    static func check(_ path: String, isOurs: (_ head: [UInt8]) -> Bool) throws(ExportError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .foreignFile(path: path) }
        let head = try reportingCalls { () throws(SystemError) in
            let file = try FileDescriptor(reading: path)
            defer { file.close() }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = try file.fill(&bytes, 0..<bytes.count)
            return Array(bytes[..<count])
        }
        guard isOurs(head) else { throw .foreignFile(path: path) }
    }

    /// Writes a file that holds no table, unless it has these bytes already. Creates its folder if there is none.
    /// - Throws: `.notFolder`, `.foreignFile` or `.system`.
    static func write(
        _ bytes: [UInt8], to path: String, isOurs: (_ head: [UInt8]) -> Bool
    ) throws(ExportError) -> ExportedFile {
        let folder = Folder.parent(of: path)
        try check(folder)
        try check(path, isOurs: isOurs)
        let isWritten = try reportingCalls { () throws(SystemError) in
            try Folder.create(folder)
            let file = try RewrittenFile(path)
            try file.append(bytes)
            return try file.finish()
        }
        return ExportedFile(path: path, table: nil, month: nil, rows: nil, state: isWritten ? .written : .unchanged)
    }
}

/// What an export did with a file.
package struct ExportedFile: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        case written, unchanged, removed
    }

    package var path: String
    /// The table whose rows it holds; nil if it holds something else.
    package let table: String?
    /// Such as `2026-11`; nil for a table without days.
    package let month: String?
    /// Without the header; nil for a removed file, or one that holds something else.
    package let rows: Int?
    package let state: State
}
