import Events
import Warehouse

/// What merging all runs of a log date gave.
struct MergedEvents: Sendable {
    var events = 0
    /// Records of all events together: what was accepted, if nothing was lost.
    var records = 0
    /// As if the log date were alone.
    var figures: AloneFigures
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
        var merged = MergedEvents(figures: AloneFigures(names))
        let output = BlockOutput(writer)
        // A few pieces a worker at a time: what they hold is bounded, and the order is kept. While a wave is merged, the
        // blocks of the one before are written.
        let waveSize = 4 * jobs
        for start in stride(from: 0, to: pieces.count, by: waveSize) {
            try stop.check()
            let wave = pieces[start..<min(start + waveSize, pieces.count)]
            let slots = Slots<Result<MergedPiece, any Error>>(wave.count)
            Fanout.run(jobs: jobs, pieces: wave.count + 1) { number in
                guard number > 0 else { return output.write() }
                let (section, piece) = wave[wave.startIndex + number - 1]
                slots.put(
                    Result { try MergedPiece(piece, of: mergers[section], names: names, zone: pipeline.zone) },
                    at: number - 1)
            }
            for (result, (section, _)) in zip(slots.take(), wave) {
                let piece = try result.get()
                try output.add(piece.blocks, of: sections[section])
                merged.events += piece.events
                merged.records += piece.records
                merged.figures.merge(piece.figures)
            }
        }
        output.write()
        try output.check()
        try writer.write(merged.figures)
        return merged
    }
}

/// Blocks on their way into a partition.
///
/// `@unchecked Sendable`: between two fan-outs the caller adds, and during one a single piece of it writes.
private final class BlockOutput: @unchecked Sendable {
    private let writer: PartitionWriter
    private var waiting: [(blocks: [EventBlock], section: Section)] = []
    private var failure: (any Error)?

    init(_ writer: PartitionWriter) {
        self.writer = writer
    }

    func add(_ blocks: [EventBlock], of section: Section) throws {
        try check()
        waiting.append((blocks, section))
    }

    func write() {
        defer { waiting = [] }
        do {
            for (blocks, section) in waiting {
                for block in blocks { try writer.append(block, section: section) }
            }
        } catch {
            failure = error
        }
    }

    func check() throws {
        if let failure { throw failure }
    }
}
