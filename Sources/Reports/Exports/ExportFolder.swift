import Foundation
import Messages
import Posix

/// Writes files into a folder. Files that pushetl has not made are never changed.
struct ExportFolder {
    static let export = ExportFolder(name: "export", option: "--out")
    static let archive = ExportFolder(name: "archive", option: "--archive")

    /// The words for these files, and the option that gives the folder, for messages.
    let name: String
    let option: String

    /// Throws if something that is not ours is in the place of a file or of its folder.
    /// - Parameter folder: the common folder. Files may lie in folders below it.
    func check(_ files: [OwnFile], in folder: String) throws {
        for place in Set([folder] + files.map { Folder.parent(of: $0.path) }).sorted() { try check(folder: place) }
        for file in files { try check(file) }
    }

    /// Throws if the path exists and is not a folder.
    func check(folder path: String) throws {
        // ENOTDIR: a part of the path above is a file.
        if FileKind(at: path).map({ $0 != .folder }) ?? (errno == ENOTDIR) {
            throw Fault.at(
                path, code: .notFolder, text: "is not a folder; nothing was written; give another \(option)")
        }
    }

    /// Throws if the path exists and is not a file of ours.
    func check(_ file: OwnFile) throws {
        guard let kind = FileKind(at: file.path, followsLinks: false) else { return }
        let isOurs = try reportingExport {
            guard kind == .file else { return false }
            return file.isOurs(try WholeFile.beginning(of: file.path, count: 4096))
        }
        guard isOurs else {
            throw Fault.at(
                file.path, code: .foreignFile,
                text: "is not a file of this \(name); nothing was written; move it away, or give another \(option)")
        }
    }

    /// Writes a file without table rows, unless it has these bytes already. Creates its folder if needed.
    func write(_ bytes: [UInt8], to file: OwnFile) throws -> ExportedFile {
        let folder = Folder.parent(of: file.path)
        try check([file], in: folder)
        let isWritten = try reportingExport {
            try Folder.create(folder)
            let new = try RewrittenFile(file.path)
            try new.append(bytes)
            return try new.finish()
        }
        return ExportedFile(
            path: file.path, table: nil, month: nil, rows: nil, state: isWritten ? .written : .unchanged)
    }
}
