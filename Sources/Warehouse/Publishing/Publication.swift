/// The result of a publishing.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's row of the history was written too.
    package var isRecorded: Bool
    /// The log dates of the published partitions, sorted.
    package var logDates: [Int32]
    /// Why some partitions were left out.
    package var damaged: [WarehouseError] = []
    /// Deliveries of which more messages arrived than were sent, among those that changed.
    package var understated: [UnderstatedDelivery]
    /// How push.db differed from the state that the last command left; nil if it did not.
    package var repair: OutputRepair?
    /// Why the history of the ledger is that of push.db; nil if it is not.
    package var loss: LedgerLoss?
    /// What was closed, settled and erased; nil if nothing of that was asked for.
    package var closing: ClosingResult?

    /// Adds what another publishing of the same command did before.
    mutating func add(_ other: Publication?) {
        guard let other else { return }
        changed = changed || other.changed
        understated = other.understated + understated.filter { !other.understated.contains($0) }
        repair = repair ?? other.repair
    }
}
