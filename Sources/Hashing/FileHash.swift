/// A 128-bit hash of a file's bytes, computed in one pass. It does not depend on how the bytes are cut into calls. A
/// change within one aligned word of eight bytes always changes the hash. It is not cryptographic.
///
/// The hash is stored, as part of the fingerprint of a log file, so it must not change.
///
/// The file is read in groups of eight words, and each word of a group goes into a lane of its own. With a single lane
/// every multiplication would wait for the one before. At the end the lanes themselves are hashed.
package struct FileHash {
    private var lanes = Lanes()
    /// The bytes of an incomplete group.
    private var rest: [UInt8] = []

    package init() {}

    /// Adds the next bytes of the file.
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
        let end = bytes.count - (bytes.count - offset) % Lanes.groupSize
        lanes.add(bytes.extracting(offset..<end))
        for index in end..<bytes.count { rest.append(bytes[index]) }
    }

    /// The hash as 32 hexadecimal digits. `byteCount` is the number of bytes added.
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
        /// The bytes of one word for each lane.
        static let groupSize = count * 8

        private var lanes = InlineArray<8, UInt64>(repeating: 0x2545_F491_4F6C_DD1D)

        /// Adds complete groups; `bytes.count` is a multiple of `groupSize`.
        mutating func add(_ bytes: Span<UInt8>) {
            let raw = bytes.bytes
            var lanes = lanes
            var offset = 0
            while offset &+ Lanes.groupSize <= bytes.count {
                for lane in 0..<Lanes.count {
                    let word = raw.unsafeLoadUnaligned(fromByteOffset: offset &+ lane &* 8, as: UInt64.self)
                    lanes[lane] = WordHash.mix(lanes[lane] ^ UInt64(littleEndian: word))
                }
                offset &+= Lanes.groupSize
            }
            self.lanes = lanes
        }

        /// Two 64-bit hashes of all lanes and the number of bytes.
        func sums(_ byteCount: Int) -> [UInt64] {
            [WordHash.multiplier, 0xD6E8_FEB8_6659_FD93].map { multiplier in
                var sum = multiplier
                for lane in lanes.indices { sum = WordHash.mix(sum ^ lanes[lane], by: multiplier) }
                sum = WordHash.mix(sum ^ UInt64(byteCount), by: multiplier)
                return sum ^ (sum >> 29)
            }
        }
    }
}
