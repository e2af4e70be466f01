import Counting
import Events
import Warehouse

/// The result of merging all runs of a log date.
struct MergedEvents: Sendable {
    var events = 0
    /// Records of all events together: the accepted records, if none was lost.
    var records = 0
    /// The standalone tables.
    var tables: StandaloneTables
}

extension LogDatePlan {
    /// Merges the runs of a reading into a partition that is being written: names, blocks and daily rows.
    func merge(
        _ reading: LogDateReading, into writer: PartitionWriter, jobs: Int, stop: StopFlag
    ) throws -> MergedEvents {
        let (deliveries, renumbering) = DeliveryTable.merge(reading.deliveries)
        let names = EventNames(
            sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: deliveries)
        try writer.write(names)
        let mergers = reading.runs.map { RunMerger($0, renumbering: renumbering) }
        let pieces = mergers.indices.flatMap { section in
            mergers[section].count == 0
                ? [] : mergers[section].pieces(of: MergedPiece.wantedEvents).map { (section: section, piece: $0) }
        }
        let output = BlockOutput(writer)
        let workers = try Fanout.inOrder(jobs: jobs, pieces: pieces.count, ahead: 4 * jobs) {
            PieceWorker(names, zone: pipeline.zone)
        } finish: { worker in
            worker.finish()
        } make: { worker, number in
            try stop.check()
            let (section, piece) = pieces[number]
            return try worker.merge(piece, of: mergers[section], sections[section])
        } take: {
            try output.write($0)
        }
        var merged = MergedEvents(tables: StandaloneTables(names))
        for worker in workers {
            merged.events += worker.events
            merged.records += worker.records
            merged.tables.merge(worker.tables)
        }
        writer.write(merged.tables.tables)
        return merged
    }
}

/// Writes blocks to a partition, in order.
///
/// `@unchecked Sendable`: `Fanout.inOrder` passes on one piece at a time and takes its lock in between, so each thread sees
/// what the thread before it has written.
private final class BlockOutput: @unchecked Sendable {
    private let writer: PartitionWriter

    init(_ writer: PartitionWriter) {
        self.writer = writer
    }

    func write(_ piece: MergedPiece) throws {
        for block in piece.blocks { try writer.append(block, section: piece.section) }
    }
}
