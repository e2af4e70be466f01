import Warehouse

/// Counts of records that do not add up: a fault of the program.
package enum AccountsError: Error, Equatable, Sendable {
    case fileMismatch(path: String, records: Int, accepted: Int, filtered: Int, rejected: Int)
    case partitionMismatch(logDate: String, accepted: Int, events: Int, duplicates: Int)
    /// A shard did not get as many records as the files have for it.
    case shardMismatch(logDate: String, shard: Int, accepted: Int, records: Int)
    /// A shard has not reported, or has given no figures.
    case missingShard(shard: Int)
    /// There are no accounts of a file.
    case missingFile(path: String)
    /// The figures of a day did not come.
    case missingDay(day: String)
}
