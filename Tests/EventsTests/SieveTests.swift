import Testing

import struct Reference.SplitMix64

@testable import Events

struct SieveTests {
    private func ids(_ words: [UInt64], wide: Bool) -> ([EventID], [EventBlock]) {
        let events = Set(words).sorted().map { word in
            Event(
                id: EventID(high: wide ? word : 0, low: wide ? word &* 3 : word), time: 0, delivery: 0, source: 0,
                action: 0, platform: .ios)
        }
        let blocks = stride(from: 0, to: events.count, by: 100).map { start in
            EventBlock(encoding: Array(events[start..<min(start + 100, events.count)]))
        }
        return (events.map(\.id), blocks)
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
            let own = wanted.map { wide ? $0.high : $0.low }
            let (others, blocks) = ids(
                (0..<2000).map { _ in Self.kinds[kind](&random) } + own.prefix(20) + [0, .max], wide: wide)
            var sieve = MessageSieve([wanted[...]], isWide: wide)
            var found: [EventID] = []
            for block in blocks {
                var messages: [WantedMessage] = []
                try sieve.sift(block, into: &messages)
                var all: [EventID] = []
                try block.decodeIDs(appendingTo: &all)
                for message in messages { #expect(all[message.index] == message.id) }
                found += messages.map(\.id)
            }
            let expected = others.filter(Set(wanted).contains)
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
        var sieve = MessageSieve(lists.map { $0[...] }, isWide: wide)
        var messages: [WantedMessage] = []
        for block in blocks { try sieve.sift(block, into: &messages) }
        let known = Set(lists.joined())
        let found = Set(messages.map(\.id))
        #expect(third.filter(known.contains).allSatisfy(found.contains))
        #expect(lists[1].allSatisfy(sieve.isShared))
    }

    @Test func withoutIDsNothingPasses() throws {
        let (_, blocks) = ids([1, 2, 3], wide: false)
        var sieve = MessageSieve([], isWide: false)
        var messages: [WantedMessage] = []
        try sieve.sift(blocks[0], into: &messages)
        #expect(messages.isEmpty)
    }
}
