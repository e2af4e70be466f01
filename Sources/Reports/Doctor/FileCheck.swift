import Foundation
import Messages
import Posix

/// What can be told of push.db before it is opened. To open a file that is not as it should be can change it.
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

    /// Files of SQLite beside it.
    var leftovers: [DoctorCheck.Fault] {
        ["-wal", "-shm"].filter { access(path + $0, F_OK) == 0 }.map {
            .init(
                text: "\(path.split(separator: "/").last ?? "")\($0) is beside it".shown,
                advice: "close the program that made it, or remove it when none has push.db open")
        }
    }

    /// Bytes 18 and 19 of the header are 2 in this mode. In what cannot be read nothing is found: the check that opens push.db
    /// tells of it.
    private var isWAL: Bool {
        guard let head = try? WholeFile.beginning(of: path, count: 20), head.count == 20,
            head.starts(with: "SQLite format 3\0".utf8)
        else { return false }
        return head[18] == 2 || head[19] == 2
    }
}
