/// A 128-bit hash of a file's bytes, in one pass, the same for whatever blocks they come in. Not for secrets: it tells files
/// apart, and a change within any eight bytes is never missed.
///
/// Each word of a group of eight goes into a lane of its own, since one lane would wait for its multiplications word after
/// word; at the end the lanes are hashed in their turn.
package struct FileHash {
    private var lanes = Lanes()
    /// Bytes of a group that is not full yet.
    private var rest: [UInt8] = []

    package init() {}

    package mutating func add(_ bytes: Span<UInt8>) {
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
    package func text(byteCount: Int) -> String {
        var lanes = lanes
        if !rest.isEmpty {
            lanes.add((rest + Array(repeating: 0, count: Lanes.groupSize - rest.count)).span)
        }
        return lanes.sums(byteCount).map(\.hexDigits).joined()
    }
}

extension FileHash {
    private struct Lanes {
        private static let count = 8
        /// Bytes that fill all lanes once.
        static let groupSize = count * 8

        private var lanes = InlineArray<8, UInt64>(repeating: 0x2545_F491_4F6C_DD1D)

        /// Adds whole groups.
        mutating func add(_ bytes: Span<UInt8>) {
            let raw = bytes.bytes
            var lanes = lanes
            var offset = 0
            while offset &+ Lanes.groupSize <= bytes.count {
                for lane in 0..<Lanes.count {
                    let word = raw.unsafeLoadUnaligned(fromByteOffset: offset &+ lane &* 8, as: UInt64.self)
                    lanes[lane] = Lanes.mixed(lanes[lane], UInt64(littleEndian: word), 0x9E37_79B9_7F4A_7C15)
                }
                offset &+= Lanes.groupSize
            }
            self.lanes = lanes
        }

        /// Two hashes of all lanes and the number of bytes.
        func sums(_ byteCount: Int) -> [UInt64] {
            ([0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93] as [UInt64]).map { multiplier in
                var sum = multiplier
                for lane in lanes.indices { sum = Lanes.mixed(sum, lanes[lane], multiplier) }
                sum = Lanes.mixed(sum, UInt64(byteCount), multiplier)
                return sum ^ (sum >> 29)
            }
        }

        /// Another value for any other word, and for any other state before.
        @inline(__always)
        private static func mixed(_ state: UInt64, _ word: UInt64, _ multiplier: UInt64) -> UInt64 {
            let product = (state ^ word) &* multiplier
            return product ^ (product >> 32)
        }
    }
}
