import Events
import Warehouse

/// What merging all runs of a log date gave.
struct MergedEvents: Sendable {
    var events = 0
    /// Records of all events together: what was accepted, if nothing was lost.
    var records = 0
    var daily = DailyActions()
}

extension LogDatePlan {
    /// Merges the runs of a reading into a partition that is being written: names, blocks and daily rows.
    func merge(
        _ reading: LogDateReading, into writer: PartitionWriter, jobs: Int, stop: StopFlag
    ) throws -> MergedEvents {
        let (deliveries, renumbering) = DeliveryTable.merge(reading.deliveries)
        try writer.write(
            EventNames(
                sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: deliveries))
        let mergers = reading.runs.map { RunMerger($0, renumbering: renumbering) }
        let pieces = mergers.indices.flatMap { section in
            mergers[section].count == 0
                ? [] : mergers[section].pieces(of: MergedPiece.wantedEvents).map { (section: section, piece: $0) }
        }
        var merged = MergedEvents()
        // As many pieces at a time as there are workers: what they hold is bounded, and the order is kept.
        for start in stride(from: 0, to: pieces.count, by: max(1, jobs)) {
            try stop.check()
            let wave = pieces[start..<min(start + max(1, jobs), pieces.count)]
            let slots = Slots<Result<MergedPiece, any Error>>(wave.count)
            Fanout.run(jobs: jobs, pieces: wave.count) { index in
                let (section, piece) = wave[wave.startIndex + index]
                slots.put(Result { try MergedPiece(piece, of: mergers[section], zone: pipeline.zone) }, at: index)
            }
            for (result, (section, _)) in zip(slots.take(), wave) {
                let piece = try result.get()
                for block in piece.blocks { try writer.append(block, section: sections[section]) }
                merged.events += piece.events
                merged.records += piece.records
                merged.daily.merge(piece.daily)
            }
        }
        try writer.write(merged.daily)
        return merged
    }
}
