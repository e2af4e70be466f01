import GRDB

/// Compares the rows of an output DB with the partitions. Needed if no cached digests say what the rows should be.
struct OutputComparison {
    let basis: PublicationBasis
    let output: OutputDatabase
    /// The entries of `publication`.
    let published: [String: String]
    /// The entries that `publication` should have for the log dates and the settings.
    let inputs: [String: String]

    /// Adds to `check` the digests of the rows as they should be, and the tables that differ. A difference is a fault
    /// only if `publication` claims that the rows are up to date. `content` must hold the figures of all days.
    func complete(_ check: inout OutputCheck, by content: OutputContent) throws(WarehouseError) {
        guard let found = check.found else { return }
        var wanted = try content.allDigests(inputs: inputs)
        let items = inputs.merging(content.items) { input, _ in input }
        try setDeliveries(&wanted, found, check)
        for table in OutputSchema.history { wanted[table] = found[table] }
        check.digests = wanted
        for table in check.rewritten { check.digests?.remove(table) }
        for (name, dates) in found.differences(from: wanted) where !check.rewritten.contains(name) {
            let faulty = dates.filter { isClaimed(name, $0, items) }
            if !faulty.isEmpty { check.rewriteRows(of: name, faulty) }
        }
    }

    /// Sets the digests of the tables by delivery. They follow from the daily tables; if those are made again, so are they.
    private func setDeliveries(
        _ wanted: inout TableDigests, _ found: TableDigests, _ check: OutputCheck
    ) throws(WarehouseError) {
        let differences = found.differences(from: wanted)
        let areDaysRight = [OutputSchema.dailyActions, OutputSchema.dailyFunnel].allSatisfy { table in
            differences[table.name] == nil && !check.rewritten.contains(table.name)
        }
        for table in OutputSchema.byDelivery { wanted[table] = found[table] }
        guard areDaysRight else { return }
        let digests = try output.readUnchecked { database in
            try DeliveryTables.digests(basis.settings.deliveries, from: database)
        }
        for table in OutputSchema.byDelivery { wanted[table] = digests?[table] ?? 0 }
    }

    /// Whether `publication` claims that the rows of a table and date are up to date.
    private func isClaimed(_ table: String, _ date: String, _ items: [String: String]) -> Bool {
        switch table {
        case _ where OutputSchema.daily.contains { $0.name == table }:
            published[OutputContent.item(date)] == items[OutputContent.item(date)]
        // Another version of the program may have written the file.
        case OutputSchema.about.name: date != OutputContent.versionKey && published == items
        case OutputSchema.files.name, OutputSchema.outcomes.name: published[date] == items[date]
        case OutputSchema.columnsHelp.name: true
        default: published == items
        }
    }
}
