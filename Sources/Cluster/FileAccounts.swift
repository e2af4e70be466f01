import LogFiles
import Pipelines
import Warehouse

/// What a task says about the file that it has read, its events left out.
enum FileAccounts: Codable, Sendable {
    /// The beginning of the file could not be read; the system's error code.
    case unopened(code: Int32)
    case foreign(ForeignFile)
    /// The file could not be read to its end.
    case unreadable(code: Int32)
    /// With the accepted records of each shard. The report has no stamp: that of the driver counts.
    case whole(FileReport, FileTally, rejects: [Reject], records: [Int])
}
