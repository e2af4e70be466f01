import Warehouse

extension Sentence {
    /// How push.db differed from what the last command had written, and what was done about it.
    func of(_ faults: OutputFaults, at path: String) -> String {
        if let reason = faults.unusable {
            return "\(paths(path)): could not be used (\(reason.shown)); it was made anew from the partitions"
                + lost(faults)
                + "; of runs and loads it has what could be read"
        }
        var parts = faults.tables.sorted { $0.key < $1.key }.map { table, fault in
            switch fault {
            case .missing: "table \(table.shown) was missing"
            case .otherDefinition: "table \(table.shown) had other columns or another key"
            case .otherRows(let dates):
                dates.isEmpty
                    ? "table \(table.shown) had other rows"
                    : "table \(table.shown) had other rows (\(Text.few(dates) { $0 }))"
            }
        }
        parts += faults.settings.map { "\($0) had another value" }
        parts += faults.triggers.map { "trigger \($0.shown) was on one of its tables" }
        return "\(paths(path)): was changed by something else: \(parts.joined(separator: ", ")); it is put right again"
            + lost(faults) + (hasHistory(faults) ? "; of runs and loads it has what could be read" : "")
    }

    /// An upgrade of push.db.
    func ofOutput(at path: String, earlierSchema: Int) -> String {
        "\(paths(path)): was written by an earlier pushetl (schema \(earlierSchema)); "
            + "it was made anew from the partitions"
    }

    private func lost(_ faults: OutputFaults) -> String {
        faults.lost.isEmpty ? "" : ", without what others had added: \(faults.lost.joined(separator: ", ").shown)"
    }

    /// Whether a table had faults that cannot be computed again.
    private func hasHistory(_ faults: OutputFaults) -> Bool {
        faults.tables["runs"] != nil || faults.tables["loads"] != nil
    }
}
