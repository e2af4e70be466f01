import Partitions

/// Counts of records that do not add up: a fault of the program.
package enum AccountsError: Error, Equatable, Sendable {
    case fileMismatch(path: String, records: Int, accepted: Int, filtered: Int, rejected: Int)
    case partitionMismatch(logDate: String, accepted: Int, events: Int, duplicates: Int)
}
