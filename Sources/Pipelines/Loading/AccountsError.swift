import Events
import LogFiles
import Records
import Warehouse

/// Records that went in and did not come out, or the other way round: a fault of the program.
package enum AccountsError: Error, Equatable, Sendable {
    case fileMismatch(path: String, records: Int, accepted: Int, filtered: Int, rejected: Int)
    case partitionMismatch(logDate: String, accepted: Int, events: Int, duplicates: Int)
}
