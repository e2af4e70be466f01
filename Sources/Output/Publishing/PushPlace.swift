import Calendar
import Foundation
import Messages
import Partitions
import Posix

/// The place of push.db: the file itself or, if push.db is a symbolic link, the link's target, which need not exist.
struct PushPlace {
    private let output: OutputDatabase
    /// The path of the file itself.
    private let path: String
    private let folder: String

    private static let mostCopies = 3

    init(_ output: OutputDatabase) {
        self.output = output
        path = output.filePath
        folder = Folder.parent(of: path)
    }

    /// The path at which a new push.db is written before it is renamed. It is on the same file system.
    var temporaryPath: String { "\(folder)/.push.db.tmp" }

    /// Creates the new file, with the owner, the permissions and the access list of the file that it replaces.
    func createTemporary() throws -> FileDescriptor {
        removeTemporary()
        let file = try reportingCalls { try FileDescriptor(creating: temporaryPath) }
        var former = stat()
        if stat(path, &former) == 0 {
            fchmod(file.number, former.st_mode & 0o777)
            // Only root may give a file away. Otherwise it belongs to the user who runs the command.
            _ = fchown(file.number, former.st_uid, former.st_gid)
            AccessList(of: path)?.set(on: file)
        }
        return file
    }

    func removeTemporary() {
        for suffix in ["", "-journal"] { unlink(temporaryPath + suffix) }
    }

    /// Gives the new file the place of push.db, durably.
    func install(_ temporary: FileDescriptor) throws {
        try reportingCalls {
            try temporary.sync()
            // SQLite would take leftover files of the former push.db for files of the new one.
            for suffix in DatabaseFile.companions { try WholeFile.remove(path + suffix) }
            try WholeFile.rename(temporaryPath, to: path)
            try Folder.sync(folder)
        }
    }

    /// Gives push.db a second name, under which it stays when a new file takes its place. Returns that name; nil if
    /// there is nothing to keep.
    /// - Throws: also if there are enough copies.
    func setAside() throws -> String? {
        guard FileStamp(path: path).map({ $0.bytes > 0 }) ?? false else { return nil }
        let copies = try OutputFolder.names(in: folder).filter(OwnName.isCopy).sorted().map { "\(folder)/\($0)" }
        // A killed command may have given the file a second name already.
        let now = FileStamp(path: path)
        let isCopied: (String) -> Bool = { copy in FileStamp(path: copy).map { $0.inode == now?.inode } ?? false }
        if let copy = copies.first(where: isCopied) { return copy }
        guard copies.count < PushPlace.mostCopies else {
            throw Fault.at(
                output.path, code: .tooManyCopies,
                text: """
                    must be made anew, and a copy of it must be kept first; there are \(copies.count) already: \
                    \(copies.few { "\(path: $0)" }); move one away and run again
                    """)
        }
        // A copy within the same second gets a later second in its name.
        var milliseconds = FileStamp.now() / 1_000_000
        var copy: String { "\(folder)/push.db.before-\(CalendarText.dateTime(ofMilliseconds: milliseconds).compact)Z" }
        while FileKind(at: copy, followsLinks: false) != nil { milliseconds += 1000 }
        // Some file systems have no second names.
        let name = copy
        guard link(path, name) != 0 else { return name }
        try reportingCalls { try WholeFile.rename(path, to: name) }
        return name
    }
}

extension String {
    /// `2026-11-19 02:30:05` as `20261119T023005`.
    fileprivate var compact: String { filter { $0 != "-" && $0 != ":" }.replacing(" ", with: "T") }
}
