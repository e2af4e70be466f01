import Testing

import struct Reference.SplitMix64

@testable import Events

struct SieveTests {
    private func ids(_ words: [UInt64], wide: Bool) -> [EventID] {
        Set(words).sorted().map { EventID(high: wide ? $0 : 0, low: wide ? $0 &* 3 : $0) }
    }

    /// Words of several kinds: spread over all, close together, and close together except for some.
    private static let kinds: [@Sendable (inout SplitMix64) -> UInt64] = [
        { $0.next() }, { $0.next() % 5000 }, { $0.next() % 50 == 0 ? $0.next() : 1 << 40 + $0.next() % 3000 },
        { UInt64.max - $0.next() % 3000 },
    ]

    @Test(arguments: [false, true], 0..<4)
    func ofOneListExactlyTheSharedIDsPass(wide: Bool, kind: Int) {
        var random = SplitMix64(seed: UInt64(2 * kind + (wide ? 1 : 0)))
        for count in [1, 2, 63, 700, 3000] {
            let words = (0..<count).map { _ in Self.kinds[kind](&random) }
            let wanted = ids(words, wide: wide)
            let others = ids(
                (0..<2000).map { _ in Self.kinds[kind](&random) } + words.prefix(20) + [0, .max], wide: wide)
            var sieve = MessageSieve([wanted])
            let expected = others.filter(Set(wanted).contains)
            #expect(sieve.sift(others) == expected)
            #expect(Set(expected).isSubset(of: sieve.shared(wanted)))
        }
    }

    @Test(arguments: [false, true], 0..<4)
    func ofSeveralListsNoSharedIDIsHeldBack(wide: Bool, kind: Int) {
        var random = SplitMix64(seed: UInt64(2 * kind + (wide ? 1 : 0)))
        let words = (0..<3000).map { _ in Self.kinds[kind](&random) }
        let lists = [words, words.suffix(50) + words.prefix(10)].map { ids($0, wide: wide) }
        let third = ids(words.suffix(20) + [7], wide: wide)
        var sieve = MessageSieve(lists)
        #expect(Set(third.filter(Set(lists.joined()).contains)).isSubset(of: sieve.sift(third)))
        #expect(sieve.shared(lists[1]) == lists[1])
    }

    @Test func withoutIDsNothingPasses() {
        for lists in [[], [[]]] as [[[EventID]]] {
            var sieve = MessageSieve(lists)
            #expect(sieve.sift(ids([0, 1, .max], wide: true)).isEmpty)
        }
    }
}
