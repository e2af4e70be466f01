import Foundation
import Hashing
import Posix

/// What is known of a file that may be a former one under another name. `reading` is what unpacking has told, the rest is
/// known without.
package struct FileOutline: Hashable, Codable, Sendable {
    /// The trailer of a gzip file with one member.
    struct Trailer: Hashable, Codable {
        /// The CRC-32 of the content.
        let crc32: UInt32
        /// The number of its bytes, modulo 2^32.
        let bytes: UInt32
    }

    /// The size of the file.
    let bytes: Int
    /// As in `FileReport`.
    package let fingerprint: String
    let isPacked: Bool
    /// Nil if the file is not gzip, or may have several members, or ends in zeros.
    let trailer: Trailer?
    /// Nil if it was not unpacked.
    package var reading: ContentReading?

    /// Whether only unpacking tells whether the content begins with so many bytes. `crc32` is theirs, if they were unpacked
    /// of a gzip file; of two plain files with one size the fingerprints tell.
    package func mayBegin(with bytes: Int, crc32: UInt32?) -> Bool {
        guard isPacked else { return self.bytes > bytes || self.bytes == bytes && crc32 != nil }
        // Deflate makes at most 1032 bytes of one. A trailer does not tell a length of 2^32 bytes and more.
        guard let trailer, 1032 * self.bytes < 1 << 32 else { return true }
        return trailer.bytes > bytes || trailer.bytes == bytes && crc32 ?? trailer.crc32 == trailer.crc32
    }
}

extension LogFile {
    /// Reads the file without unpacking it. Returns the stamp from before; nil if it is not steady, or the file
    /// changed meanwhile. Calls `didRead` with the number of bytes of each block.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func outline(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (outline: FileOutline, stamp: FileStamp?) {
        var input = FileInput(blockSize: Block.size)
        let stamp = try input.open(path)
        var packing: Packing?
        var members = 0
        try input.skipToEnd(didRead) { bytes in
            if packing == nil {
                packing = Packing(beginning: (0..<min(bytes.count, ForeignKind.beginningBytes)).map { bytes[$0] })
            }
            members += memberCount(bytes)
        }
        let end = input.lastTaken(8)
        var trailer: FileOutline.Trailer?
        if packing == .gzip, members == 1, input.bytesRead >= 18, end.contains(where: { $0 != 0 }) {
            let words = end.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            trailer = .init(crc32: UInt32(truncatingIfNeeded: words), bytes: UInt32(words >> 32))
        }
        let outline = FileOutline(
            bytes: input.bytesRead, fingerprint: input.fingerprint, isPacked: packing != .plain, trailer: trailer)
        return (outline, stamp?.bytes == input.bytesRead ? stamp : nil)
    }

    /// The number of places where a gzip member may begin: with the magic bytes, the method 8, and flags whose highest three
    /// bits are 0. It may take other bytes for one, but misses none.
    private func memberCount(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            var (count, offset) = (0, 0)
            while offset + 4 <= buffer.count, let found = memchr(base + offset, 0x1F, buffer.count - 3 - offset) {
                offset = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                if buffer[offset] == 0x8B, buffer[offset + 1] == 8, buffer[offset + 2] & 0xE0 == 0 { count += 1 }
            }
            return count
        }
    }
}
