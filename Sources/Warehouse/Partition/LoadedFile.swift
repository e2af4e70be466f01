import Hashing
import Posix

/// An input file of a partition.
package struct LoadedFile: Equatable, Sendable {
    package var source: String
    package var path: String
    /// Size as stored, in bytes.
    package var bytes: Int
    /// Identifies the file's bytes.
    package var fingerprint: String
    /// Identifies what was unpacked of a compressed file. Nil for a plain file, for any file of a partition before schema 4,
    /// and in push.db.
    package var content: UnpackedContent?
    package var status: FileStatus
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int

    package init(
        source: String, path: String, bytes: Int, fingerprint: String, content: UnpackedContent? = nil,
        status: FileStatus, records: Int, accepted: Int, filtered: Int, rejected: Int
    ) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.content = content
        self.status = status
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
    }
}
