import Testing

@testable import Events

/// The shards on disk depend on these numbers, so they must never change.
@Suite struct ShardsTests {
    private func shards(_ space: String, _ kind: Section.Kind, _ high: UInt64, _ low: UInt64) -> [Int] {
        [1, 2, 7, 64, 1000, 4096].map {
            Shards($0).shard(of: EventID(high: high, low: low), in: Section(idSpace: space, kind: kind))
        }
    }

    @Test func aMessageIsForeverInItsShard() {
        #expect(shards("push", .hex, 0, 0x1685a5) == [0, 1, 4, 41, 656, 2687])
        #expect(shards("push", .hex, 0, 1) == [0, 1, 5, 48, 763, 3128])
        #expect(shards("push", .uuid, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210) == [0, 1, 5, 47, 746, 3056])
        #expect(shards("push", .opaque, 0, 0x1685a5) == [0, 1, 6, 57, 905, 3709])
        #expect(shards("a longer space é", .hex, 0, 0x1685a5) == [0, 0, 3, 28, 448, 1838])
        #expect(shards("", .hex, 0, .max) == [0, 1, 5, 45, 714, 2927])
    }

    @Test func messagesSpreadEvenly() {
        var counts = [Int](repeating: 0, count: 64)
        let section = Section(idSpace: "push", kind: .hex)
        for id in 0..<64_000 as Range<UInt64> {
            counts[Shards(64).shard(of: EventID(high: 0, low: 1 << 20 + id), in: section)] += 1
        }
        // Six times the standard deviation of a thousand.
        #expect(counts.allSatisfy { abs($0 - 1000) < 190 })
    }
}
