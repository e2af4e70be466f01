/// Shares messages out over a number of shards, by a hash of the id space and the id. All events of a message are in one shard.
///
/// The hash never changes, since the shards on disk depend on it. `mix` is the last step of the generator SplitMix64, of a
/// sum: it spreads any change over all bits. The hash begins as 0. For each of these words it becomes mix(hash ^ word):
///
/// - the bytes of the id space in UTF-8, eight at a time, the first byte lowest; the last word is filled up with zeros
/// - 256 · (number of these bytes) + (0 for hexadecimal ids, 1 for UUIDs, 2 for opaque ids)
/// - the high word of the id, then its low word, see `EventID`
///
/// The shard is the high word of the product of hash and number of shards. So in 64 shards the message 1685a5 of the id space
/// `push` is in shard 41, and in 7 shards in shard 4.
package struct Shards: Equatable, Sendable {
    /// The largest number of shards.
    package static let most = 4096

    package let count: Int

    /// - Parameter count: from 1 to `most`.
    package init(_ count: Int) {
        self.count = count
    }

    package func shard(of id: EventID, in section: Section) -> Int { shard(of: id, Shards.seed(section)) }

    /// - Parameter seed: that of the message's section.
    @inline(__always)
    package func shard(of id: EventID, _ seed: UInt64) -> Int {
        let hash = Shards.mix(Shards.mix(seed ^ id.high) ^ id.low)
        return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// The hash of a section, before that of an id.
    package static func seed(_ section: Section) -> UInt64 {
        let bytes = Array(section.idSpace.utf8)
        var hash: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let word = bytes[start..<min(start + 8, bytes.count)].reversed().reduce(0 as UInt64) {
                $0 << 8 | UInt64($1)
            }
            hash = mix(hash ^ word)
        }
        return mix(hash ^ (UInt64(bytes.count) << 8 | UInt64(section.kind.rawValue)))
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ word &>> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word &>> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word &>> 31
    }
}
