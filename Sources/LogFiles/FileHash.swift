/// Two 64-bit hashes of a file's bytes, in one pass, a word at a time, the same for whatever blocks they come in. Not
/// for secrets: it tells files apart, and a change within any eight bytes is never missed.
struct FileHash {
    private static let multipliers: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)

    private var first: UInt64 = 0
    private var second: UInt64 = 0x2545_F491_4F6C_DD1D
    private var partial: UInt64 = 0
    private var partialBytes = 0

    mutating func add(_ bytes: Span<UInt8>) {
        var offset = 0
        while partialBytes > 0 && offset < bytes.count {
            addByte(bytes[offset])
            offset += 1
        }
        let raw = bytes.bytes
        while offset &+ 8 <= bytes.count {
            addWord(UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        while offset < bytes.count {
            addByte(bytes[offset])
            offset += 1
        }
    }

    /// 32 hexadecimal digits.
    func text(byteCount: Int) -> String {
        var copy = self
        copy.addWord(partial)
        copy.addWord(UInt64(byteCount))
        let texts = [copy.first, copy.second].map { String($0 ^ ($0 >> 29), radix: 16) }
        return texts.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }

    private mutating func addByte(_ byte: UInt8) {
        partial |= UInt64(byte) << UInt64(8 * partialBytes)
        partialBytes += 1
        if partialBytes == 8 {
            addWord(partial)
            partial = 0
            partialBytes = 0
        }
    }

    @inline(__always)
    private mutating func addWord(_ word: UInt64) {
        let a = (first ^ word) &* FileHash.multipliers.0
        first = a ^ (a >> 32)
        let b = (second &+ word) &* FileHash.multipliers.1
        second = b ^ (b >> 29)
    }
}
