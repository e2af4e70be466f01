/// Two 64-bit hashes of a file's bytes, in one pass, the same for whatever blocks they come in. Not for secrets: it tells
/// files apart, and a change within any eight bytes is never missed.
///
/// Each word of a group of four goes into a lane of its own, since one lane would wait for its multiplications word after
/// word; at the end the lanes are hashed in their turn.
struct FileHash {
    private var lanes = Lanes()
    /// Bytes of a group that is not full yet.
    private var rest: [UInt8] = []

    mutating func add(_ bytes: Span<UInt8>) {
        var offset = 0
        if !rest.isEmpty {
            offset = min(Lanes.groupSize - rest.count, bytes.count)
            for index in 0..<offset { rest.append(bytes[index]) }
            guard rest.count == Lanes.groupSize else { return }
            let group = rest
            lanes.add(group.span)
            rest = []
        }
        let tail = bytes.count - (bytes.count - offset) % Lanes.groupSize
        lanes.add(bytes.extracting(offset..<tail))
        for index in tail..<bytes.count { rest.append(bytes[index]) }
    }

    /// 32 hexadecimal digits.
    func text(byteCount: Int) -> String {
        var lanes = lanes
        if !rest.isEmpty {
            lanes.add((rest + Array(repeating: 0, count: Lanes.groupSize - rest.count)).span)
        }
        let sum = lanes.sum(byteCount)
        let texts = [sum.first, sum.second].map { String($0 ^ ($0 >> 29), radix: 16) }
        return texts.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}

extension FileHash {
    private struct Lane {
        private static let multipliers: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)

        private(set) var first: UInt64 = 0
        private(set) var second: UInt64 = 0x2545_F491_4F6C_DD1D

        @inline(__always)
        mutating func add(_ word: UInt64) {
            let a = (first ^ word) &* Lane.multipliers.0
            first = a ^ (a >> 32)
            let b = (second &+ word) &* Lane.multipliers.1
            second = b ^ (b >> 29)
        }
    }

    private struct Lanes {
        /// Bytes that fill all lanes once.
        static let groupSize = 32

        private var lanes = (Lane(), Lane(), Lane(), Lane())

        /// Adds whole groups.
        mutating func add(_ bytes: Span<UInt8>) {
            let raw = bytes.bytes
            @inline(__always)
            func word(_ offset: Int) -> UInt64 {
                UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            var (a, b, c, d) = lanes
            var offset = 0
            while offset &+ Lanes.groupSize <= bytes.count {
                a.add(word(offset))
                b.add(word(offset &+ 8))
                c.add(word(offset &+ 16))
                d.add(word(offset &+ 24))
                offset &+= Lanes.groupSize
            }
            lanes = (a, b, c, d)
        }

        /// Of all lanes and the number of bytes.
        func sum(_ byteCount: Int) -> Lane {
            var sum = Lane()
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                sum.add(lane.first)
                sum.add(lane.second)
            }
            sum.add(UInt64(byteCount))
            return sum
        }
    }
}
