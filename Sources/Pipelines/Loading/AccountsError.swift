import Messages
import Partitions

/// Counts of records that do not add up: a fault of the program.
package enum AccountsError: Error, Equatable, Sendable {
    case fileMismatch(path: String, records: Int, accepted: Int, filtered: Int, rejected: Int)
    case partitionMismatch(logDate: String, accepted: Int, events: Int, duplicates: Int)
}

extension AccountsError: MessageError {
    package var exitStatus: ExitStatus { .internalFault }

    package var message: Message {
        let fault: MessageText = "a fault of pushetl, please report it; nothing was published"
        switch self {
        case .fileMismatch(let path, let records, let accepted, let filtered, let rejected):
            return Message(
                "file_mismatch",
                "\(path: path): \(records) records, but \(accepted) accepted + \(filtered) filtered + \(rejected) rejected: "
                    + fault)
        case .partitionMismatch(let logDate, let accepted, let events, let duplicates):
            return Message(
                "partition_mismatch",
                "\(logDate): \(accepted) records accepted, but \(events) events + \(duplicates) duplicates: " + fault)
        }
    }
}
