/// Identifies the unpacked content of a gzip or zstd file. It does not depend on the file's name, its kind, its members
/// or its level.
///
/// It costs almost nothing while a file is loaded: gzip needs the CRC anyway (of zstd it is computed), and the other
/// hash is of the beginning only. Two files of one source and log date that differ have the same length, the same CRC
/// and the same first 4096 bytes by accident once in 2^32 pairs, and not at all if they differ within 32 bits.
///
/// It is stored in partitions, so it must not change.
package struct UnpackedContent: Hashable, Codable, Sendable {
    /// `head` is the hash of at most this many bytes.
    package static let headBytes = 4096

    /// The number of unpacked bytes.
    package let bytes: Int
    /// The CRC-32, as in gzip, of all of them.
    package let crc32: UInt32
    /// The `FileHash` of the first of them.
    package let head: String

    package init(bytes: Int, crc32: UInt32, head: String) {
        self.bytes = bytes
        self.crc32 = crc32
        self.head = head
    }
}
