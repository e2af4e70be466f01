import Calendar
import LogFiles
import Warehouse

/// How a log date stands: its partition, compared with the files and the pipeline of now.
package struct LogDateState: Sendable {
    package enum Standing: String, Sendable {
        case missing
        /// There is a partition that cannot be read.
        case damaged
        case partial
        case complete
    }

    /// Something that is not as it was at the load.
    package enum Reason: Hashable, Sendable {
        case newFile(path: String)
        /// It has other bytes.
        case changedFile(path: String)
        /// Nobody knows whether it has other bytes; the system's error code.
        case unreadableFile(path: String, code: Int32)
        case goneFile(path: String)
        /// The pipeline file means something else.
        case changedPipeline
    }

    package let date: LogDate
    package internal(set) var standing = Standing.missing
    /// What the partition says of itself; nil if it is missing or damaged.
    package internal(set) var summary: PartitionSummary?
    /// Why the partition cannot be read.
    package internal(set) var damage: WarehouseError?
    /// Why the partition is partial; empty for any other.
    package internal(set) var partialCauses: [PartialCause] = []
    /// Why the last load was held back; nil where it was not.
    package internal(set) var held: HoldReason?
    /// What has changed since the last load, the one that was held back if there is one: files first, in their order. Empty for
    /// a log date that is missing or damaged, but for files that the partition was made from and that are gone.
    package internal(set) var reasons: [Reason] = []
    /// Files that are there now.
    package internal(set) var files = 0
    /// Their bytes as they lie on disk.
    package internal(set) var bytes = 0
    /// Files that only reading would tell apart, and that were not read.
    package internal(set) var uncomparedFiles = 0
    /// Why nobody knows which files are there.
    package internal(set) var searchFailure: FileSearchError?

    init(date: LogDate) {
        self.date = date
    }

    /// Whether files are gone that the partition was made from.
    package internal(set) var isShrunk = false

    /// Whether loading it again would say more, and lose nothing.
    package var isStale: Bool { !reasons.isEmpty && !isShrunk }

    /// Whether its last load was held back, and another one would end in the same way, as far as can be told without reading.
    package var isHeldUnchanged: Bool {
        guard let held else { return false }
        return reasons.isEmpty && !held.mayPassUnseen
    }
}
