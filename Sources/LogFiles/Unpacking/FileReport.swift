import Hashing
import Messages
import Posix

/// The facts about a file that has been read to its end.
package struct FileReport: Codable, Sendable {
    package var status = FileStatus.ok
    /// How the file is compressed; of a file with members of both kinds, its last member that was read.
    package var packing = Packing.plain
    /// The size of the file on disk.
    package var bytes = 0
    /// Identifies the file's content: a hash of its bytes and their number, as hexadecimal digits.
    package var fingerprint = ""
    /// Identifies what was unpacked of a compressed file. Nil for a plain file, whose bytes are its content.
    package var content: UnpackedContent?
    /// The stamp from before the file was read; nil if a later write might not change it.
    package var stamp: FileStamp?
    /// The number of complete gzip members and zstd frames, up to the damaged one if there is one.
    package var wholeMembers = 0
    /// The offset of bytes after a gzip member that are neither a member nor padding. They are ignored, and make the
    /// file damaged if they may hold records.
    package var trailingBytesAt: Int?

    package init() {}
}

extension MessageText {
    /// What is told of `trailingBytesAt`.
    package static func trailingBytes(from offset: Int) -> MessageText {
        "the bytes from offset \(offset) on are not gzip data and were ignored"
    }
}
