import Foundation
import Messages
import Posix

/// What can be found out about push.db without opening it. Opening a damaged file may change it.
struct FileCheck {
    let path: String

    /// Reasons not to open it.
    var faults: [DoctorCheck.Fault] {
        if isWAL {
            let text = "the journal mode is WAL, which needs files beside it: it does not open in a read-only folder"
            return [.init(text: text, advice: DoctorCheck.setBack)]
        }
        return leftovers
    }

    /// The files of SQLite that lie beside push.db.
    var leftovers: [DoctorCheck.Fault] {
        ["-wal", "-shm"].filter { access(path + $0, F_OK) == 0 }.map {
            .init(
                text: "\(path.split(separator: "/").last ?? "")\($0) is beside it".shown,
                advice: "close the program that made it, or remove it when none has push.db open")
        }
    }

    /// Whether the file is in WAL mode: bytes 18 and 19 of its header are then 2. False if the file cannot be read,
    /// since opening it reports the error.
    private var isWAL: Bool {
        guard let head = try? WholeFile.beginning(of: path, count: 20), head.count == 20,
            head.starts(with: "SQLite format 3\0".utf8)
        else { return false }
        return head[18] == 2 || head[19] == 2
    }
}
