import Calendar
import Posix

extension OutputDatabase {
    /// Computes all figures from the partitions and makes the output DB show them, even if it was changed or damaged
    /// since the last command. The caller must hold the output's lock.
    /// - Parameters:
    ///   - closing: what to do about old log dates; nil to close, settle and erase nothing.
    ///   - loads: called once, before what they have loaded is published. Gives the command's rows of `loads`.
    ///   - recording: called just before the commit. Returns the command's row of the history.
    /// - Throws: `.stopped`, and errors other than damage of a single partition.
    package func publish(
        _ settings: PublicationSettings, resources: PublishingResources = PublishingResources(),
        closing: Closing? = nil, loads: () -> [LoadRecord] = { [] },
        recording: (_ changed: Bool, _ hasDamage: Bool) throws -> RunRecord? = { _, _ in nil }
    ) throws(WarehouseError) -> Publication {
        var publisher = try Publisher(self, settings, resources)
        return try publisher.publish(closing: closing, loads, recording)
    }

    /// Whether publishing would change nothing: the output DB and the ledger are as the last command left them and show these
    /// partitions and settings, no rows of the history wait, and the partitions are unchanged since they were verified. True if
    /// there is neither an output DB nor a partition. False if a partition is damaged, because it may have been loaded again.
    /// Reads no events.
    ///
    /// - Parameter closing: as of `publish`.
    package func isCurrent(_ settings: PublicationSettings, closing: Closing? = nil) throws(WarehouseError) -> Bool {
        let old = try OldLogDates(in: folder.withoutCaching, PublishingResources())
        if let closing, try old.hasWork(closing) { return false }
        let (partitions, damaged) = try PartitionSet.open(folder, old.closed, old.settled)
        guard isAsLeft else { return damaged.isEmpty && partitions.count == 0 && FileStamp(path: path) == nil }
        guard damaged.isEmpty, let left = LeftFiles(in: folder), !left.isWriting,
            left.isLeft(Ledger(of: folder).path, left.ledger),
            let (known, entries) = Ledger.read(in: folder, { (try LedgerState($0), try Ledger.entries($0)) }),
            known.isCurrent(settings), entries.count == partitions.count
        else { return false }
        // The shards are checked by the tasks that read them.
        let withIDs =
            folder.shardCount() == nil
            ? try partitions.withIDs(old.closed, windowDays: settings.windowDays, [:]) : partitions.none
        return partitions.summaries.enumerated().allSatisfy { index, summary in
            guard let entry = entries[CalendarText.date(ofDay: summary.logDate)] else { return false }
            return entry.version == summary.version && entry.isSettled == partitions.isSettled(index)
        }
            && withIDs.summaries.indices.allSatisfy { index in
                let stamp = entries[CalendarText.date(ofDay: withIDs.summaries[index].logDate)]?.stamp
                return stamp != nil && stamp == FileStamp(path: withIDs.path(index))
            }
    }

    // The history. Its rows are in the ledger at once, and in push.db with the next publishing.

    /// Adds the loads of a command. The caller must hold the output's lock.
    package func note(_ loads: [LoadRecord]) throws(WarehouseError) {
        if loads.isEmpty { return }
        var publisher = try Publisher(self)
        try publisher.note(loads)
    }

    /// Adds a command that published nothing. If a reader is in the way of push.db, it gets the row with the next publishing. The
    /// caller must hold the output's lock.
    package func record(_ run: RunRecord) throws(WarehouseError) {
        try leave(run)
        do throws(WarehouseError) {
            try OutputDatabase(folder, busyTimeout: min(busyTimeout, 1)).publishHistory()
        } catch {
            switch error {
            case .busy, .replaced: break
            case _ where error.isDamage: break
            default: throw error
            }
        }
    }

    private func publishHistory() throws(WarehouseError) {
        var publisher = try Publisher(self)
        try publisher.publishHistory()
    }

    /// Adds a command that could not publish. The caller must hold the output's lock.
    package func leave(_ run: RunRecord) throws(WarehouseError) {
        var publisher = try Publisher(self)
        try publisher.note([], run)
    }
}
