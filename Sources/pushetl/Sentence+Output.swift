import Warehouse

extension Sentence {
    /// So many dates of a table are told one by one.
    private static let toldDates = 3

    /// How push.db was not as the last command had left it, and what became of that.
    static func of(_ faults: OutputFaults, at path: String) -> String {
        if let reason = faults.unusable {
            return "\(path): could not be used (\(reason)); it was made anew from the partitions" + lost(faults)
                + "; of runs and loads it has what could be read"
        }
        var parts = faults.tables.sorted { $0.key < $1.key }.map { table, fault in
            switch fault {
            case .missing: "table \(table) was missing"
            case .otherDefinition: "table \(table) had other columns or indexes"
            case .otherRows(let dates):
                dates.isEmpty ? "table \(table) had other rows" : "table \(table) had other rows (\(told(dates)))"
            }
        }
        parts += faults.settings.map { "\($0) was another" }
        parts += faults.triggers.map { "trigger \($0) was on one of its tables" }
        return "\(path): was changed by something else: \(parts.joined(separator: ", ")); it is put right again"
            + lost(faults) + (hasHistory(faults) ? "; of runs and loads it has what could be read" : "")
    }

    private static func told(_ dates: [String]) -> String {
        let told = dates.prefix(toldDates).joined(separator: ", ")
        return dates.count > toldDates ? "\(told) and \(dates.count - toldDates) more" : told
    }

    private static func lost(_ faults: OutputFaults) -> String {
        faults.lost.isEmpty ? "" : ", without what others had added: \(faults.lost.joined(separator: ", "))"
    }

    /// Whether a table had faults that nothing can compute again.
    private static func hasHistory(_ faults: OutputFaults) -> Bool {
        faults.tables["runs"] != nil || faults.tables["loads"] != nil
    }
}
