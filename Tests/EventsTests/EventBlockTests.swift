import Hashing
import Testing

import struct Reference.SplitMix64

@testable import Events

enum IDShape: CaseIterable {
    case narrow, wide, sequential, full, clustered, few
    /// As far apart as 32 bits tell, and by one farther.
    case within32Bits, beyond32Bits
}

func makeEvents(_ count: Int, _ shape: IDShape, seed: UInt64) -> [Event] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
        let id: EventID =
            switch shape {
            case .narrow: EventID(high: 0, low: 1 + random.next() % 50_000)
            case .wide: EventID(high: random.next(), low: random.next())
            case .sequential: EventID(high: 0, low: 0x1685_0000 + UInt64(index / 3))
            case .full: EventID(high: 0, low: random.next())
            case .clustered: EventID(high: random.next() % 3, low: UInt64.max - random.next() % 100)
            case .within32Bits: EventID(high: 0, low: 0xABCD_1234_5678 + min(random.next() % (1 << 33), (1 << 32) - 1))
            case .beyond32Bits: EventID(high: 0, low: 0xABCD_1234_5678 + min(random.next() % (1 << 33), 1 << 32))
            case .few: EventID(high: 0, low: 7 + random.next() % 2)
            }
        return Event(
            id: id, time: Int64(1_763_000_000_000) + Int64(random.next() % 90_000) * (seed % 2 == 0 ? 1000 : 1),
            delivery: UInt32(random.next() % 40),
            records: random.next() % 9 == 0 ? UInt32(random.next() % 70_000) + 1 : 1,
            source: UInt16(random.next() % 3), action: UInt16(random.next() % 5),
            platform: Platform(rawValue: UInt8(random.next() % 4)) ?? .web)
    }
}

func joinedSlowly(_ events: [Event]) -> [Event] {
    let sorted = events.sorted { a, b in
        if a.id != b.id { return a.id < b.id }
        if a.action != b.action { return a.action < b.action }
        if a.time != b.time { return a.time < b.time }
        if a.source != b.source { return a.source < b.source }
        if a.delivery != b.delivery { return a.delivery < b.delivery }
        return a.platform.rawValue < b.platform.rawValue
    }
    var result: [Event] = []
    for event in sorted {
        if let last = result.last, last.id == event.id, last.action == event.action {
            result[result.count - 1].records += event.records
        } else {
            result.append(event)
        }
    }
    return result
}

func text(_ events: [Event]) -> [String] {
    events.map {
        "\($0.id.high):\($0.id.low) \($0.action) \($0.time) \($0.source) \($0.delivery) \($0.platform.name) ×\($0.records)"
    }
}

@Test(arguments: IDShape.allCases, [1, 2, 3, 63, 64, 65, 1000, 4096])
func aBlockGivesBackItsEvents(_ shape: IDShape, _ count: Int) throws {
    for seed in UInt64(0)..<4 {
        let events = Array(joinedSlowly(makeEvents(count * 3, shape, seed: seed)).prefix(count))
        let block = EventBlock(encoding: events)
        var decoded: [Event] = []
        try block.decode(appendingTo: &decoded)
        #expect(text(decoded) == text(events))
        #expect(block.first == events.first?.id)
        #expect(block.last == events.last?.id)
        #expect(block.count == events.count)
    }
}

@Test func extremeValuesSurviveABlock() throws {
    let events = [
        Event(
            id: EventID(high: 0, low: 1), time: -62_135_596_800_000, delivery: .max, records: .max, source: .max,
            action: 0, platform: .web),
        Event(
            id: EventID(high: .max, low: 0), time: 253_402_300_799_999, delivery: 0, records: 1, source: 0,
            action: .max, platform: .android),
        Event(
            id: EventID(high: .max, low: .max), time: 0, delivery: 5, records: 2, source: 1, action: 1, platform: .ios),
    ]
    var decoded: [Event] = []
    try EventBlock(encoding: events).decode(appendingTo: &decoded)
    #expect(text(decoded) == text(events))
}

@Test func aDamagedBlockIsAnErrorAtEveryByteAndLength() {
    let events = joinedSlowly(makeEvents(300, .full, seed: 5))
    let block = EventBlock(encoding: events)
    func decodes(_ bytes: [UInt8]) -> Bool {
        var decoded: [Event] = []
        let damaged = EventBlock(first: block.first, last: block.last, count: block.count, bytes: bytes)
        do { try damaged.decode(appendingTo: &decoded) } catch { return false }
        return true
    }
    #expect(decodes(block.bytes))
    for index in block.bytes.indices {
        var bytes = block.bytes
        bytes[index] ^= 1 << UInt8(index % 8)
        #expect(!decodes(bytes), "byte \(index)")
    }
    for length in 0..<block.bytes.count { #expect(!decodes(Array(block.bytes.prefix(length))), "length \(length)") }
}

/// Bytes that are not what an encoder writes, but have the right hash.
@Test func noBytesWithTheRightHashAreATrap() {
    let events = joinedSlowly(makeEvents(40, .few, seed: 3) + makeEvents(200, .narrow, seed: 3))
    let blocks = [EventBlock(encoding: events), EventBlock(encoding: joinedSlowly(makeEvents(90, .wide, seed: 4)))]
    var random = SplitMix64(seed: 9)
    for round in 0..<30_000 {
        let block = blocks[round % 2]
        var bytes = block.bytes
        for _ in 0...random.next() % 3 {
            // The head decides most, and extreme bytes most of it.
            let place = random.next() % 2 == 0 ? 8 + random.next() % 60 : 8 + random.next() % UInt64(bytes.count - 8)
            bytes[Int(place)] =
                random.next() % 2 == 0 ? UInt8(random.next() % 3) &- 1 : UInt8(truncatingIfNeeded: random.next())
        }
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
        let damaged = EventBlock(first: block.first, last: block.last, count: block.count, bytes: bytes)
        var decoded: [Event] = []
        if (try? damaged.decode(appendingTo: &decoded)) != nil {
            let keys = decoded.map { ($0.id, $0.action) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.0 < $1.0 || $0.0 == $1.0 && $0.1 < $1.1 })
        }
        var ids: [EventID] = []
        if (try? damaged.decodeIDs(appendingTo: &ids)) != nil {
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
            var picked: [Event] = []
            let wanted = ids.indices.map { WantedMessage(index: $0, id: ids[$0]) }
            // Some wrong bytes are only found here, and some not at all.
            try? damaged.pick(wanted, appendingTo: &picked)
        }
    }
}

@Test func noBlockIsLongerThanTheLimit() {
    var random = SplitMix64(seed: 1)
    let events = (0..<EventBlock.capacity).map { _ in
        Event(
            id: EventID(high: random.next(), low: random.next()), time: Int64(bitPattern: random.next()) / 4,
            delivery: UInt32(truncatingIfNeeded: random.next()), records: .max,
            source: UInt16(truncatingIfNeeded: random.next()), action: UInt16(truncatingIfNeeded: random.next()),
            platform: .web)
    }
    let block = EventBlock(encoding: events.sorted { $0.id < $1.id })
    #expect(block.bytes.count > 100_000)
    #expect(block.bytes.count <= EventBlock.maxBytes)
}

extension EventBlock {
    /// Encodes 1 to `capacity` events, which must be sorted by (id, action).
    init(encoding events: [Event]) {
        var encoder = EventBlockEncoder()
        self = encoder.encode(events.span)
    }
}
