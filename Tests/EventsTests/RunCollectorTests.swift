import Support
import Testing

import struct Reference.SplitMix64

@testable import Events

/// Runs that came from elsewhere, each with its own numbers of deliveries, merge to what sorting everything gives.
@Test(arguments: IDShape.allCases, [2, 3, 100])
func collectedRunsMergeToWhatSortingEverythingGives(_ shape: IDShape, _ fanIn: Int) throws {
    let folder = try ScratchFolder()
    var random = SplitMix64(seed: UInt64(fanIn))
    var collector = RunCollector(sections: 2, memory: 1 << 20, spillFolder: folder.root, fanIn: fanIn)
    let names = (0..<40).map { "delivery \(($0 * 7919) % 40)" }.sorted()
    var all: [Event] = []
    for run in 0..<11 {
        let events = joinedSlowly(makeEvents(1500, shape, seed: UInt64(run)))
        all += events
        let known = random.shuffle(Array(names.indices))
        let own = events.map { event in
            var event = event
            event.delivery = UInt32(known.firstIndex(of: Int(event.delivery)) ?? -1)
            return event
        }
        var encoder = EventBlockEncoder()
        let blocks = stride(from: 0, to: own.count, by: 700).map { start in
            encoder.encode(own.span.extracting(start..<min(start + 700, own.count)))
        }
        try collector.append(blocks, section: 1, deliveries: known.map { names[$0] })
    }
    let (runs, tables) = collector.finish()
    #expect(runs[0].isEmpty)
    let levels = Dictionary(grouping: runs[1], by: \.level)
    #expect(levels.values.allSatisfy { $0.count < fanIn })
    let (texts, renumbering) = DeliveryTable.merge(tables)
    var merged: [Event] = []
    try RunMerger(runs[1], renumbering: renumbering).merge(.whole) { chunk in
        for index in chunk.indices { merged.append(chunk[index]) }
    }
    let expected = joinedSlowly(
        all.map { event in
            var event = event
            event.delivery = UInt32(texts.firstIndex(of: names[Int(event.delivery)]) ?? -1)
            return event
        })
    #expect(text(merged) == text(expected))
}
