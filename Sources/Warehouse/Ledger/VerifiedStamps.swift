import Calendar
import Posix

/// The stamps of the partitions' files when they were last found whole.
package struct VerifiedStamps: Sendable {
    private let entries: [String: Ledger.Entry]

    package init(in folder: OutputFolder) {
        entries = Ledger.read(in: folder) { try Ledger.entries($0) } ?? [:]
    }

    /// The size of a partition's file in bytes if it has changed since it was last verified; nil if it has not.
    /// - Parameter alsoUnknown: whether it counts as changed if nothing is known.
    package func unverifiedBytes(of partition: Partition, alsoUnknown: Bool) -> Int? {
        guard let stamp = FileStamp(path: partition.path) else { return nil }
        let entry = entries[CalendarText.date(ofDay: partition.summary.logDate)]
        guard let known = entry?.stamp, entry?.version == partition.summary.version else {
            return alsoUnknown ? stamp.bytes : nil
        }
        return stamp == known ? nil : stamp.bytes
    }
}
