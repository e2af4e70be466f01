import Foundation
import Messages
import Posix

/// What can be told of push.db before it is opened. To open a file that is not as it should be can change it.
struct FileCheck {
    let path: String

    static let interrupted = DoctorCheck.Fault(
        text: "a command was killed while it was writing, and its transaction is not undone yet",
        advice: "the next 'run' or 'backfill' undoes it")

    /// Reasons not to open it.
    var faults: [DoctorCheck.Fault] {
        if hasTransaction { return [FileCheck.interrupted] }
        if isWAL {
            let text = "the journal mode is WAL, which needs files beside it: it does not open in a read-only folder"
            return [.init(text: text, advice: DoctorCheck.setBack)]
        }
        return leftovers
    }

    /// Files of SQLite beside it.
    var leftovers: [DoctorCheck.Fault] {
        ["-wal", "-shm"].filter { access(path + $0, F_OK) == 0 }.map {
            .init(
                text: "\(path.split(separator: "/").last ?? "")\($0) is beside it".shown,
                advice: "close the program that made it, or remove it when none has push.db open")
        }
    }

    /// Whether a journal with a transaction lies beside it. A writer at work has one too, but also holds a lock.
    private var hasTransaction: Bool {
        guard let journal = try? FileDescriptor(file: path + "-journal") else { return false }
        defer { journal.close() }
        var head = [UInt8](repeating: 0, count: 8)
        guard let count = try? journal.fill(&head, 0..<8), count == 8 else { return false }
        return head.contains { $0 != 0 } && !isLocked
    }

    /// Whether some process holds SQLite's lock for writers.
    private var isLocked: Bool {
        guard let file = try? FileDescriptor(file: path) else { return false }
        defer { file.close() }
        // SQLite's lock bytes are the 512 from 2^30 on: one for a pending writer, one for the writer, the rest for readers.
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 1 << 30
        lock.l_len = 512
        return fcntl(file.number, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Bytes 18 and 19 of the header are 2 in this mode.
    private var isWAL: Bool {
        guard let file = try? FileDescriptor(file: path) else { return false }
        defer { file.close() }
        var head = [UInt8](repeating: 0, count: 20)
        guard (try? file.fill(&head, 0..<20)) == 20, head.starts(with: Array("SQLite format 3\0".utf8)) else {
            return false
        }
        return head[18] == 2 || head[19] == 2
    }
}
