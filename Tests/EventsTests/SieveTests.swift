import Testing

import struct Reference.SplitMix64

@testable import Events

struct SieveTests {
    private func ids(_ words: [UInt64], wide: Bool) -> (MessageIDs, [EventBlock]) {
        let events = Set(words).sorted().map { word in
            Event(
                id: EventID(high: wide ? word : 0, low: wide ? word &* 3 : word), time: 0, delivery: 0, source: 0,
                action: 0, platform: .ios)
        }
        var ids = MessageIDs(isWide: wide)
        var blocks: [EventBlock] = []
        for start in stride(from: 0, to: events.count, by: 100) {
            blocks.append(EventBlock(encoding: Array(events[start..<min(start + 100, events.count)])))
            try? ids.append(blocks[blocks.count - 1])
        }
        return (ids, blocks)
    }

    /// Words of several kinds: spread over all, close together, and close together except for some.
    private static let kinds: [@Sendable (inout SplitMix64) -> UInt64] = [
        { $0.next() }, { $0.next() % 5000 }, { $0.next() % 50 == 0 ? $0.next() : 1 << 40 + $0.next() % 3000 },
        { UInt64.max - $0.next() % 3000 },
    ]

    @Test(arguments: [false, true], 0..<4)
    func ofOneListExactlyTheSharedIDsPass(wide: Bool, kind: Int) throws {
        var random = SplitMix64(seed: UInt64(2 * kind + (wide ? 1 : 0)))
        for count in [1, 2, 63, 700, 3000] {
            let (wanted, _) = ids((0..<count).map { _ in Self.kinds[kind](&random) }, wide: wide)
            let own = (0..<wanted.count).map { wide ? wanted.high[$0] : wanted.low[$0] }
            let (others, blocks) = ids(
                (0..<2000).map { _ in Self.kinds[kind](&random) } + own.prefix(20) + [0, .max], wide: wide)
            var sieve = MessageSieve([(wanted, 0..<wanted.count)], isWide: wide)
            var found: [EventID] = []
            for block in blocks {
                var messages: [WantedMessage] = []
                try sieve.sift(block, into: &messages)
                var all = MessageIDs(isWide: wide)
                try all.append(block)
                for message in messages { #expect(all[message.index] == message.id) }
                found += messages.map(\.id)
            }
            let known = Set((0..<wanted.count).map { wanted[$0] })
            let expected = (0..<others.count).map { others[$0] }.filter { known.contains($0) }
            #expect(found == expected)
            #expect(expected.allSatisfy { sieve.isShared($0) })
        }
    }

    @Test(arguments: [false, true], 0..<4)
    func ofSeveralListsNoSharedIDIsHeldBack(wide: Bool, kind: Int) throws {
        var random = SplitMix64(seed: UInt64(2 * kind + (wide ? 1 : 0)))
        let words = (0..<3000).map { _ in Self.kinds[kind](&random) }
        let lists = [ids(words, wide: wide).0, ids(words.suffix(50) + words.prefix(10), wide: wide).0]
        let (third, blocks) = ids(words.suffix(20) + [7], wide: wide)
        var sieve = MessageSieve(lists.map { ($0, 0..<$0.count) }, isWide: wide)
        var messages: [WantedMessage] = []
        for block in blocks { try sieve.sift(block, into: &messages) }
        let known = Set(lists.flatMap { list in (0..<list.count).map { list[$0] } })
        let found = Set(messages.map(\.id))
        #expect((0..<third.count).map { third[$0] }.filter { known.contains($0) }.allSatisfy { found.contains($0) })
        #expect((0..<lists[1].count).allSatisfy { sieve.isShared(lists[1][$0]) })
    }

    @Test func withoutIDsNothingPasses() throws {
        let (_, blocks) = ids([1, 2, 3], wide: false)
        var sieve = MessageSieve([], isWide: false)
        var messages: [WantedMessage] = []
        try sieve.sift(blocks[0], into: &messages)
        #expect(messages.isEmpty)
    }
}
