import Posix

/// What reading a file to its end has told.
package struct FileReport: Sendable {
    package var status = FileStatus.ok
    package var isGzipped = false
    /// Bytes of the file as it lies on disk.
    package var bytes = 0
    /// Identifies the file's bytes: their hash and their number.
    package var fingerprint = ""
    /// What the system told of the file before it was read; nil if a write since then might not show in it.
    package var stamp: FileStamp?
    /// Members that ended well, before the damaged one if there is one.
    package var wholeMembers = 0
    /// Where in the file bytes begin that are neither a gzip member nor padding; they are ignored.
    package var trailingBytesAt: Int?
}
