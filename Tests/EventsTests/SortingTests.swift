import Foundation
import Support
import Testing

import struct Reference.SplitMix64

@testable import Events

@Test(arguments: IDShape.allCases, [1, 2, 100, 5000, 40_000])
func sortingJoinsEachActionOfAnID(_ shape: IDShape, _ count: Int) {
    let events = makeEvents(count, shape, seed: UInt64(count))
    var sorter = EventSorter()
    for _ in 0..<2 {
        var joined: [Event] = []
        sorter.sortAndJoin(events.span, ids: IDRange(events.span), deliveryPrecedes: <) { chunk in
            #expect(chunk.count <= EventBlock.capacity)
            for index in chunk.indices { joined.append(chunk[index]) }
        }
        sorter.finish { chunk in
            for index in chunk.indices { joined.append(chunk[index]) }
        }
        #expect(text(joined) == text(joinedSlowly(events)))
    }
}

/// Details of which the largest fill two words.
private func vast(_ event: Event, _ random: inout SplitMix64) -> Event {
    var event = event
    event.time = random.next() % 3 == 0 ? Int64(random.next() % 315_537_897_600_000) - 62_135_596_800_000 : event.time
    event.source = UInt16(truncatingIfNeeded: random.next())
    event.action = UInt16(truncatingIfNeeded: random.next() % 4)
    return event
}

@Test(arguments: IDShape.allCases, [1, 3])
func runsMergeToWhatSortingEverythingGives(_ shape: IDShape, _ workers: Int) throws {
    let folder = try ScratchFolder()
    // A sixth of the events in a sixth of the memory is spilled as well.
    let (count, memory) = Long.isOn ? (9000, 3 << 16) : (1500, 1 << 15)
    // A fan-in of 2 or 3 merges runs of runs of runs; the largest memory holds all in compact runs.
    for (memory, fanIn, isVast) in [
        (1 << 14, 16, false), (1 << 14, 3, true), (1 << 14, 2, false), (memory, 16, false), (1 << 30, 2, false),
        (1 << 30, 2, true),
    ] {
        var random = SplitMix64(seed: UInt64(memory + fanIn))
        var runs: [EventRun] = []
        var tables: [DeliveryTable] = []
        var all: [Event] = []
        let names = (0..<40).map { "delivery \(($0 * 7919) % 40)" }.sorted()
        for worker in 0..<workers {
            var collector = EventCollector(
                worker: worker, sections: 1, memory: memory, spillFolder: folder.root, fanIn: fanIn)
            for file in 0..<5 {
                var events = makeEvents(count, shape, seed: UInt64(worker * 10 + file))
                if file == 3 {
                    // As they come from another process: joined, with several records each.
                    all += events
                    events = joinedSlowly(events)
                    for index in events.indices {
                        let name = Array(names[Int(events[index].delivery)].utf8)
                        events[index].delivery = collector.delivery(name.span)
                    }
                    try collector.append(run: events.span, section: 0)
                    continue
                }
                for index in events.indices {
                    events[index].records = 1
                    if isVast { events[index] = vast(events[index], &random) }
                    var copy = events[index]
                    copy.delivery = collector.delivery(Array(names[Int(copy.delivery)].utf8).span)
                    collector.append(copy, section: 0)
                    try collector.packIfFull()
                }
                if file == 2 {
                    collector.rollbackFile()
                } else {
                    collector.commitFile()
                    all += events
                }
            }
            let finished = try collector.finish()[0]
            let spilled = finished.filter { $0.level > 0 }
            #expect(Dictionary(grouping: spilled, by: \.level).values.allSatisfy { $0.count <= 2 * fanIn })
            #expect(spilled.isEmpty == (memory == 1 << 30))
            runs += finished
            tables.append(collector.deliveries)
        }
        let (texts, renumbering) = DeliveryTable.merge(tables)
        #expect(texts == texts.sorted())
        let merger = RunMerger(runs, renumbering: renumbering)
        let expected = joinedSlowly(
            all.map { event in
                var copy = event
                copy.delivery = UInt32(texts.firstIndex(of: names[Int(event.delivery)]) ?? -1)
                return copy
            })
        for pieceEvents in [7000, 1_000_000] {
            var merged: [Event] = []
            for piece in merger.pieces(of: pieceEvents) {
                try merger.merge(piece) { chunk in
                    for index in chunk.indices { merged.append(chunk[index]) }
                }
            }
            #expect(text(merged) == text(expected))
        }
    }
}
