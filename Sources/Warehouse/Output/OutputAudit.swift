/// How push.db differs from the partitions, and from the state that the last command left. Nothing is written.
package struct OutputAudit: Sendable {
    /// Why some partitions cannot be read. Sorted by path.
    package internal(set) var damaged: [WarehouseError] = []
    /// The log dates of which push.db shows another version than is there; also `settings` and `deliveries`.
    package internal(set) var unpublished: [String] = []
    /// Tables that are missing or have another definition.
    package internal(set) var faultyTables: [String: OutputFaults.TableFault] = [:]
    /// Triggers of others on our tables.
    package internal(set) var triggers: [String] = []
    /// Tables whose rows are not those that follow from the partitions, by name. The dates are empty for a table that is
    /// not written by date.
    package internal(set) var differences: [(table: String, dates: [String])] = []
    /// Tables whose rows are not those that the last command left; nil if those are not known.
    package internal(set) var changes: [(table: String, dates: [String])]?
}
