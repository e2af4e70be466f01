import Calendar
import Counting
import Events
import Partitions

/// The result of merging all runs of a log date.
package struct MergedEvents: Sendable {
    package fileprivate(set) var events = 0
    /// Records of all events together: the accepted records, if none was lost.
    package fileprivate(set) var records = 0
    fileprivate var standalone: StandaloneTables

    /// The number of events, by the index of the source and by day.
    package var eventsBySourceAndDay: [Int: [Int: Int]] { standalone.tables.daily.eventsBySourceAndDay }
    /// The number of events, by the numbers of source and action.
    package var eventsBySourceAndAction: [Int: [Int: Int]] { standalone.tables.daily.eventsBySourceAndAction }
}

extension LogDatePlan {
    /// Merges the runs of a reading into a partition that is being written: names, blocks and daily rows.
    package func merge(
        _ reading: LogDateReading, into writer: PartitionWriter, jobs: Int, stop: StopFlag
    ) throws -> MergedEvents {
        let (deliveries, renumbering) = DeliveryTable.merge(reading.deliveries)
        let names = EventNames(
            sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: deliveries)
        try writer.write(names)
        let mergers = reading.runs.map { RunMerger($0, renumbering: renumbering) }
        let pieces = mergers.indices.flatMap { section in
            mergers[section].count == 0
                ? [] : mergers[section].pieces(of: PieceWorker.wantedEvents).map { (section: section, piece: $0) }
        }
        // `Fanout.inOrder` passes on one piece at a time and takes its lock in between, so each thread sees what the thread
        // before it has written.
        nonisolated(unsafe) let output = writer
        let workers = try Fanout.inOrder(jobs: jobs, pieces: pieces.count) {
            PieceWorker(merged: MergedEvents(standalone: StandaloneTables(names)), days: DayClock(zone: pipeline.zone))
        } make: { worker, number in
            try stop.check()
            let (section, piece) = pieces[number]
            return (section, try worker.merge(piece, of: mergers[section]))
        } take: { section, blocks in
            for block in blocks { try output.append(block, section: sections[section]) }
        }
        var merged = MergedEvents(standalone: StandaloneTables(names))
        for var part in workers.map(\.merged) {
            part.standalone.flush()
            merged.events += part.events
            merged.records += part.records
            merged.standalone.merge(part.standalone)
        }
        writer.write(merged.standalone.tables)
        return merged
    }
}

/// Merges pieces, one after the other, on one thread. It owns all its buffers.
private struct PieceWorker: Sendable {
    /// The approximate number of events of a piece before joining.
    static let wantedEvents = 1 << 16

    /// Of all its pieces.
    var merged: MergedEvents
    var days: DayClock
    var encoder = EventBlockEncoder()

    /// The blocks of the piece's events.
    mutating func merge(_ piece: RunMerger.Piece, of merger: RunMerger) throws -> [EventBlock] {
        var blocks: [EventBlock] = []
        try merger.merge(piece) { chunk in
            merged.events += chunk.count
            for index in chunk.indices { merged.records += Int(chunk[index].records) }
            merged.standalone.add(chunk, days: &days)
            blocks.append(encoder.encode(chunk))
        }
        merged.standalone.endMessage(days: &days)
        return blocks
    }
}
