import Foundation
import Hashing
import Posix

/// What a file's bytes say of its content before they are unpacked.
package struct FileOutline: Hashable, Codable, Sendable {
    /// The trailer of a gzip file with one member.
    package struct Trailer: Hashable, Codable, Sendable {
        /// The CRC-32 of the content.
        package let crc32: UInt32
        /// The number of its bytes, modulo 2^32.
        package let bytes: UInt32

        package init(crc32: UInt32, bytes: UInt32) {
            self.crc32 = crc32
            self.bytes = bytes
        }
    }

    /// The size of the file.
    package let bytes: Int
    /// As in `FileReport`.
    package let fingerprint: String
    package let isGzipped: Bool
    /// Nil if the file is not gzipped, or may have several members, or ends in zeros.
    package let trailer: Trailer?

    package init(bytes: Int, fingerprint: String, isGzipped: Bool, trailer: Trailer?) {
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.isGzipped = isGzipped
        self.trailer = trailer
    }

    /// Whether a file with the same status and another name may have been this one. `bytes` and `crc32` are those of
    /// its content; nil stands for a CRC that is not known.
    package func mayContain(_ bytes: Int, crc32: UInt32?) -> Bool {
        guard isGzipped else { return self.bytes == bytes }
        guard let trailer else { return true }
        return trailer.bytes == UInt32(truncatingIfNeeded: bytes) && crc32.map { $0 == trailer.crc32 } ?? true
    }

    /// Whether the content may have more than so many bytes.
    package func mayExceed(_ bytes: Int) -> Bool {
        guard isGzipped else { return self.bytes > bytes }
        guard let trailer else { return true }
        // The trailer leaves multiples of 2^32 open, and deflate makes at most 1032 bytes of one.
        let turn = 1 << 32
        let least = bytes / turn * turn + Int(trailer.bytes)
        return (least > bytes ? least : least + turn) <= 1032 * self.bytes
    }
}

extension LogFile {
    /// Reads the file without unpacking it. Returns the stamp from before; nil if it is not settled, or the file
    /// changed meanwhile. Calls `didRead` with the number of bytes of each block.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func outline(
        didRead: (Int) throws -> Void = { _ in }
    ) throws -> (outline: FileOutline, stamp: FileStamp?) {
        var input = FileInput(blockSize: Block.size)
        let stamp = try input.open(path)
        var scan = MemberScan()
        try input.skipToEnd(didRead) { scan.add($0) }
        let outline = FileOutline(
            bytes: input.bytesRead, fingerprint: input.fingerprint, isGzipped: scan.isGzipped, trailer: scan.trailer)
        return (outline, stamp?.bytes == input.bytesRead ? stamp : nil)
    }
}

/// Looks for a second gzip member in a file's bytes. It may take other bytes for one, but misses none: a member begins
/// with the magic bytes, the method 8, and flags whose highest three bits are 0.
private struct MemberScan {
    private static let pattern: [UInt8] = [0x1F, 0x8B, 8]
    /// A header and a trailer.
    private static let leastBytes = 18

    private(set) var isGzipped = false
    private var hasMore = false
    private var count = 0
    private var last: [UInt8] = []

    mutating func add(_ bytes: Span<UInt8>) {
        let before = last.suffix(3)
        let joined = Array(before) + (0..<min(3, bytes.count)).map { bytes[$0] }
        if count == 0 { isGzipped = joined.starts(with: [0x1F, 0x8B]) }
        for start in before.indices.map({ $0 - before.startIndex }) {
            if count > before.count - start { note(joined[start...]) }
        }
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var offset = count == 0 ? 1 : 0
            while !hasMore, offset + 4 <= buffer.count,
                let found = memchr(base + offset, 0x1F, buffer.count - 3 - offset)
            {
                offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                note(Array(buffer[offset..<(offset + 4)])[...])
                offset += 1
            }
        }
        count += bytes.count
        last = (last + (max(0, bytes.count - 8)..<bytes.count).map { bytes[$0] }).suffix(8)
    }

    private mutating func note(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4, bytes.starts(with: MemberScan.pattern) else { return }
        if bytes[bytes.startIndex + 3] & 0xE0 == 0 { hasMore = true }
    }

    var trailer: FileOutline.Trailer? {
        guard isGzipped, !hasMore, count >= MemberScan.leastBytes, last.contains(where: { $0 != 0 }) else { return nil }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        return FileOutline.Trailer(crc32: word(last.prefix(4)), bytes: word(last.suffix(4)))
    }
}
