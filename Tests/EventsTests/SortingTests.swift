import Foundation
import Testing

@testable import Events

@Test(arguments: IDShape.allCases, [1, 2, 100, 5000, 40_000])
func sortingJoinsEachActionOfAnID(_ shape: IDShape, _ count: Int) {
    let events = makeEvents(count, shape, seed: UInt64(count))
    var sorter = EventSorter()
    for _ in 0..<2 {
        var joined: [Event] = []
        sorter.sortAndJoin(events.span, deliveryPrecedes: <) { chunk in
            #expect(chunk.count <= EventBlock.capacity)
            for index in chunk.indices { joined.append(chunk[index]) }
        }
        sorter.finish { chunk in
            for index in chunk.indices { joined.append(chunk[index]) }
        }
        #expect(text(joined) == text(joinedSlowly(events)))
    }
}

@Test(arguments: IDShape.allCases, [1, 3])
func runsMergeToWhatSortingEverythingGives(_ shape: IDShape, _ workers: Int) throws {
    let folder = FileManager.default.temporaryDirectory.path
    // A fan-in of 2 or 3 merges runs of runs of runs.
    for (memory, fanIn) in [(1 << 16, 16), (1 << 16, 3), (1 << 16, 2), (1 << 20, 16), (1 << 30, 2)] {
        var runs: [SortedRun] = []
        var tables: [DeliveryTable] = []
        var all: [Event] = []
        let names = (0..<40).map { "delivery \(($0 * 7919) % 40)" }.sorted()
        for worker in 0..<workers {
            var collector = EventCollector(
                worker: worker, sections: 1, memory: memory, spillFolder: folder, fanIn: fanIn)
            for file in 0..<5 {
                let events = makeEvents(9000, shape, seed: UInt64(worker * 10 + file))
                for event in events {
                    var copy = event
                    copy.delivery = collector.delivery(Array(names[Int(event.delivery)].utf8).span)
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
            #expect(Dictionary(grouping: finished, by: \.level).values.allSatisfy { $0.count <= 2 * fanIn })
            runs += finished
            tables.append(collector.deliveries)
        }
        let (texts, renumbering) = DeliveryTable.merge(tables)
        #expect(texts == texts.sorted())
        let merger = RunMerger(runs, renumbering: renumbering)
        for pieceEvents in [7000, 1_000_000] {
            var merged: [Event] = []
            for piece in merger.pieces(of: pieceEvents) {
                try merger.merge(piece) { chunk in
                    for index in chunk.indices { merged.append(chunk[index]) }
                }
            }
            let expected = joinedSlowly(all).map { event in
                var copy = event
                copy.delivery = UInt32(texts.firstIndex(of: names[Int(event.delivery)]) ?? -1)
                return copy
            }
            #expect(text(merged) == text(expected))
        }
    }
}
