import Hashing
import Testing

import struct Reference.SplitMix64

@testable import Events

@Suite struct DeliveryTableTests {
    @Test func eachIDHasOneNumberHoweverManyThereAre() {
        var table = DeliveryTable()
        var known: [[UInt8]: UInt32] = [:]
        for round in 0..<3 {
            for number in 0..<3000 {
                for length in [1, 2, 3, 4, 5, 7, 8, 9, 16, 36] {
                    let digits = Array(String(number * 7 + round, radix: 36).utf8)
                    let id = [UInt8](repeating: UInt8(ascii: "-"), count: max(0, length - digits.count)) + digits
                    let index = table.index(of: id.span)
                    #expect(index == known[id] ?? UInt32(known.count))
                    known[id] = index
                }
            }
        }
        #expect(table.count == known.count)
        for (id, index) in known where table.text(index) != String(decoding: id, as: UTF8.self) {
            Issue.record("\(id) is \(table.text(index))")
        }
    }

    @Test func idsThatDifferInOneByteAreTwo() {
        for length in 1...20 {
            var table = DeliveryTable()
            let id = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            #expect(table.index(of: id.span) == 0)
            for place in 0..<length {
                var other = id
                other[place] = UInt8(ascii: "b")
                #expect(table.index(of: other.span) == UInt32(1 + place))
            }
            #expect(table.index(of: (id + [0]).span) == UInt32(1 + length))
            #expect(table.index(of: id.span) == 0)
        }
    }

    /// Ids that anybody may send. Without a secret in the hash they would meet in one slot, and each would be compared with all
    /// before it.
    @Test(arguments: [8, 16]) func idsThatWereChosenToMeetTakeNoLongerThanOthers(bytes: Int) {
        let chosen = bytes == 8 ? ChosenIDs.short : ChosenIDs.long
        var random = SplitMix64(seed: 3)
        let others = chosen.map { $0.map { _ in UInt8.random(in: 0x20...0x7E, using: &random) } }
        func time(_ ids: [[UInt8]]) -> Duration {
            let times = (0..<3).map { _ in
                ContinuousClock().measure {
                    var table = DeliveryTable()
                    for id in ids { _ = table.index(of: id.span) }
                    #expect(table.count == ids.count)
                }
            }
            return times.min() ?? .zero
        }
        let (ofChosen, ofOthers) = (time(chosen), time(others))
        #expect(ofChosen < ofOthers * 10 + .milliseconds(100))
    }
}

/// Ids that meet in one slot if the slot is that of a word or of its `WordHash`, by its product with a number that everybody knows.
private enum ChosenIDs {
    private static let count = 30_000
    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// Its product with `multiplier` is 1.
    private static let inverse = (0..<6).reduce(multiplier) { inverse, _ in inverse &* (2 &- multiplier &* inverse) }

    /// Of eight bytes.
    static let short: [[UInt8]] = {
        var ids: [[UInt8]] = []
        var product: UInt64 = 0
        while ids.count < count {
            product += 1
            if let id = ascii(product &* inverse) { ids.append(id) }
        }
        return ids
    }()

    /// Of sixteen bytes.
    static let long: [[UInt8]] = {
        var random = SplitMix64(seed: 5)
        var ids: [[UInt8]] = []
        while ids.count < count {
            // The first word is any one. Backwards through the hash, the second word follows from it and from the slot.
            let first = (0..<8).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
            let word = first.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let hash = UInt64.random(in: 1..<1 << 24, using: &random) &* inverse
            let mixed = hash ^ hash >> 29 ^ hash >> 58
            let second = (mixed ^ mixed >> 32) &* inverse ^ WordHash.mix(16 &* multiplier ^ word)
            guard let end = ascii(second) else { continue }
            assert(WordHash.of((first + end).span) == hash)
            ids.append(first + end)
        }
        return ids
    }()

    /// The bytes of a word, the lowest first, if all of them are ASCII.
    private static func ascii(_ word: UInt64) -> [UInt8]? {
        guard word & 0x8080_8080_8080_8080 == 0 else { return nil }
        return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
}
