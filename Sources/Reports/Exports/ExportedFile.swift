import Foundation
import Messages
import Posix

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

/// What writes files of its own into a folder. It changes nothing that others made.
struct ExportFolder {
    static let export = ExportFolder(name: "export", option: "--out")
    static let archive = ExportFolder(name: "archive", option: "--archive")

    /// What the files are together, and the option that gives the folder, for messages.
    let name: String
    let option: String

    /// Throws if something other than a folder has the path. No such folder is fine.
    func check(_ path: String) throws(Fault) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A name above it may be a file.
            if errno == ENOTDIR { throw notFolder(path) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw notFolder(path) }
    }

    /// Throws if something other than a file of the program has the path. No such file is fine.
    /// - Parameter isOurs: whether a file that begins with these bytes may be replaced.
    func check(_ path: String, isOurs: (_ head: [UInt8]) -> Bool) throws(Fault) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw foreignFile(path) }
        let head = try reportingCalls { () throws(SystemError) in try WholeFile.beginning(of: path, count: 4096) }
        guard isOurs(head) else { throw foreignFile(path) }
    }

    private func notFolder(_ path: String) -> Fault {
        .at(path, code: "not_folder", text: "is not a folder; nothing was written; give another \(option)")
    }

    private func foreignFile(_ path: String) -> Fault {
        .at(
            path, code: "foreign_file",
            text: "is not a file of this \(name); nothing was written; move it away, or give another \(option)")
    }

    /// Writes a file that holds no table, unless it has these bytes already. Creates its folder if there is none.
    func write(_ bytes: [UInt8], to path: String, isOurs: (_ head: [UInt8]) -> Bool) throws(Fault) -> ExportedFile {
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

extension Fault {
    /// The caller asked to stop.
    package static let exportStopped = Fault(
        "stopped", text: "stopped; the files that are there are complete, and the same command does the rest")
}

/// Runs `body`, which writes files, and tells what that means for an export.
@discardableResult
func reportingCalls<T>(_ body: () throws(SystemError) -> T) throws(Fault) -> T {
    do {
        return try body()
    } catch {
        throw .at(
            error.path, code: "system",
            text: """
                \(error.call) failed: \(SystemError.reason(error.code)); the files that are there are complete; fix that and \
                run again
                """)
    }
}

/// A file that is replaced only if its bytes are others: it is written beside the one that is there, and the two are
/// compared. Memory is bounded, whatever the file's size.
final class RewrittenFile {
    private static let blockSize = 1 << 16

    let path: String
    private let new: TemporaryFile
    /// The bytes that are not written yet.
    private var waiting: [UInt8] = []

    init(_ path: String) throws(SystemError) {
        self.path = path
        new = try TemporaryFile(replacing: path)
        waiting.reserveCapacity(2 * RewrittenFile.blockSize)
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        waiting.append(contentsOf: bytes)
        if waiting.count >= RewrittenFile.blockSize { try flush() }
    }

    /// Puts the file in its place, unless the one that is there is the same. Returns whether it did.
    func finish() throws(SystemError) -> Bool {
        try flush()
        if FileManager.default.contentsEqual(atPath: new.path, andPath: path) { return false }
        try new.install(durably: true)
        return true
    }

    private func flush() throws(SystemError) {
        let bytes = waiting
        try new.file.write(bytes.span)
        waiting.removeAll(keepingCapacity: true)
    }
}
