import Testing

import struct Reference.SplitMix64

@testable import Events

@Test(arguments: IDShape.allCases, [1, 2, 63, 64, 65, 1000, 4096])
func aBlockGivesTheIdsOfItsMessages(_ shape: IDShape, _ count: Int) throws {
    for seed in UInt64(0)..<4 {
        let events = Array(joinedSlowly(makeEvents(count * 3, shape, seed: seed)).prefix(count))
        var expected: [EventID] = []
        for event in events where expected.last != event.id { expected.append(event.id) }
        var ids: [EventID] = []
        try EventBlock(encoding: events).decodeIDs(appendingTo: &ids)
        #expect(ids == expected)
    }
}

@Test(arguments: IDShape.allCases, [1, 2, 63, 64, 65, 1000, 4096])
func aBlockGivesTheEventsOfSomeMessages(_ shape: IDShape, _ count: Int) throws {
    for seed in UInt64(0)..<6 {
        let events = Array(joinedSlowly(makeEvents(count * 3, shape, seed: seed)).prefix(count))
        let block = EventBlock(encoding: events)
        var ids: [EventID] = []
        try block.decodeIDs(appendingTo: &ids)
        var random = SplitMix64(seed: seed)
        // None, few, half or all of them.
        let share = [0, 3, 50, 100][Int(seed % 4)]
        let wanted = ids.indices.filter { _ in Int(random.next() % 100) < share }
            .map { WantedMessage(index: $0, id: ids[$0]) }
        var picked: [Event] = []
        try block.pick(wanted, appendingTo: &picked)
        let wantedIDs = Set(wanted.map(\.id))
        #expect(text(picked) == text(events.filter { wantedIDs.contains($0.id) }))
    }
}

@Test func aMessageThatABlockDoesNotHaveIsAnError() throws {
    let block = EventBlock(encoding: joinedSlowly(makeEvents(100, .narrow, seed: 1)))
    var picked: [Event] = []
    #expect(throws: EventBlockError.inconsistent) {
        try block.pick([WantedMessage(index: block.count, id: block.last)], appendingTo: &picked)
    }
}
