import Ledger
import Partitions

// What the commands have published and noted.

extension OutputDatabase {
    /// Computes all figures from the partitions and makes the output DB show them, even if it was changed or damaged
    /// since the last command.
    /// - Parameters:
    ///   - closing: what to do about old log dates; nil to close, settle and erase nothing.
    ///   - loads: called once, before what they have loaded is published. Gives the command's rows of `loads`.
    ///   - recording: called just before the commit. Returns the command's row of the history.
    /// - Throws: `.stopped`, and errors other than damage of a single partition.
    package func publish(
        _ settings: PublicationSettings, in held: HeldOutput, resources: PublishingResources = PublishingResources(),
        closing: Closing? = nil, loads: () -> [LoadRecord] = { [] },
        recording: (_ changed: Bool, _ hasDamage: Bool) throws -> RunRecord? = { _, _ in nil }
    ) throws(WarehouseError) -> Publication {
        var publisher = try Publisher(self, in: held, resources)
        return try publisher.publish(settings, closing, loads, recording)
    }

    // The history. Its rows are in the ledger at once, and in push.db with the next publishing.

    /// Adds the loads of a command.
    package func note(_ loads: [LoadRecord], in held: HeldOutput) throws(WarehouseError) {
        if loads.isEmpty { return }
        var publisher = try Publisher(self, in: held)
        try publisher.note(loads)
    }

    /// Adds a command that published nothing. If a reader is in the way of push.db, it gets the row with the next publishing.
    package func record(_ run: RunRecord, in held: HeldOutput) throws(WarehouseError) {
        try leave(run, in: held)
        try showHistory(in: held)
    }

    /// Keeps what the checks found in the push.db that was just published. A reader in the way is no obstacle, as above.
    package func keep(_ findings: [CheckFinding], in held: HeldOutput) throws(WarehouseError) {
        let text = CheckFinding.text(findings)
        // Most often they are as before.
        if Ledger.read(in: folder, { try Ledger.fact(CheckFinding.item, $0) }) == .some(text) { return }
        var publisher = try Publisher(self, in: held)
        try publisher.keep(text)
        try showHistory(in: held)
    }

    private func showHistory(in held: HeldOutput) throws(WarehouseError) {
        do throws(WarehouseError) {
            let database = OutputDatabase(folder, busyTimeout: min(busyTimeout, 1))
            var publisher = try Publisher(database, in: held)
            try publisher.publishHistory()
        } catch {
            switch error {
            case .busy, .replaced: break
            case _ where error.isDamage: break
            default: throw error
            }
        }
    }

    /// Adds a command that could not publish.
    package func leave(_ run: RunRecord, in held: HeldOutput) throws(WarehouseError) {
        var publisher = try Publisher(self, in: held)
        try publisher.note([], run)
    }
}
