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

/// A file that is written whole, and how it is known from those of others.
struct OwnFile {
    let path: String
    /// Whether a file that begins with these bytes may be replaced.
    let isOurs: (_ head: [UInt8]) -> Bool
}

/// What writes files of its own into a folder. It changes nothing that others made.
struct ExportFolder {
    static let export = ExportFolder(name: "export", option: "--out")
    static let archive = ExportFolder(name: "archive", option: "--archive")

    /// What the files are together, and the option that gives the folder, for messages.
    let name: String
    let option: String

    /// Throws if something of others is in the way of a file, or of its folder.
    /// - Parameter folder: of all files, which may lie deeper.
    func check(_ files: [OwnFile], in folder: String) throws(Fault) {
        for place in Set([folder] + files.map { Folder.parent(of: $0.path) }).sorted() { try check(folder: place) }
        for file in files { try check(file) }
    }

    /// Throws if something other than a folder has the path. No such folder is fine.
    func check(folder path: String) throws(Fault) {
        var status = stat()
        // A name above it may be a file.
        let isOther = stat(path, &status) == 0 ? status.st_mode & S_IFMT != S_IFDIR : errno == ENOTDIR
        if isOther {
            throw .at(path, code: "not_folder", text: "is not a folder; nothing was written; give another \(option)")
        }
    }

    /// Throws if something other than a file of the program has the path. No such file is fine.
    func check(_ file: OwnFile) throws(Fault) {
        var status = stat()
        guard lstat(file.path, &status) == 0 else { return }
        let isOurs = try reportingCalls { () throws(SystemError) in
            guard status.st_mode & S_IFMT == S_IFREG else { return false }
            return file.isOurs(try WholeFile.beginning(of: file.path, count: 4096))
        }
        guard isOurs else {
            throw .at(
                file.path, code: "foreign_file",
                text: "is not a file of this \(name); nothing was written; move it away, or give another \(option)")
        }
    }

    /// Writes a file that holds no table, unless it has these bytes already. Creates its folder if there is none.
    func write(_ bytes: [UInt8], to file: OwnFile) throws(Fault) -> ExportedFile {
        let folder = Folder.parent(of: file.path)
        try check([file], in: folder)
        let isWritten = try reportingCalls { () throws(SystemError) in
            try Folder.create(folder)
            let new = try RewrittenFile(file.path)
            try new.append(bytes)
            return try new.finish()
        }
        return ExportedFile(
            path: file.path, table: nil, month: nil, rows: nil, state: isWritten ? .written : .unchanged)
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
