import GRDB

/// Compares the rows of an output DB with the partitions, where nothing was kept that tells what they should be.
struct OutputComparison {
    let basis: PublicationBasis
    /// What `publication` says.
    let published: [String: String]
    /// What it shall say of the log dates and the settings.
    let inputs: [String: String]

    /// Takes into `check` the digests of the rows as they should be, and the tables that have others. What `publication`
    /// does not claim to be there is not yet published, and no fault. `content` has the figures of all its days.
    func complete(_ check: inout OutputCheck, by content: OutputContent) throws(WarehouseError) {
        guard let found = check.found else { return }
        var wanted = try content.tableDigests()
        try FileLists(basis.partitions, changedSince: [:]).set(&wanted)
        wanted.set(basis.partitions.summaries.map(\.outputValues), of: OutputSchema.partitions)
        wanted.set(OutputSchema.helpRows, of: OutputSchema.columnsHelp)
        let items = inputs.merging(content.items) { input, _ in input }
        wanted.set(OutputSchema.publicationRows(items), of: OutputSchema.publication)
        for table in OutputSchema.history { wanted[table] = found[table] }
        check.digests = wanted
        for table in check.rewritten { check.digests?.remove(table) }
        for (name, dates) in found.differences(from: wanted) where !check.rewritten.contains(name) {
            let faulty = dates.filter { isClaimed(name, $0, items) }
            if !faulty.isEmpty { check.rewriteRows(of: name, faulty) }
        }
    }

    /// Whether `publication` says that a table has the rows of a date as they should be.
    private func isClaimed(_ table: String, _ date: String, _ items: [String: String]) -> Bool {
        switch table {
        case OutputSchema.dailyActions.name, OutputSchema.dailyFunnel.name:
            published["\(table) \(date)"] == items["\(table) \(date)"]
        case OutputSchema.files.name, OutputSchema.outcomes.name: published[date] == items[date]
        case OutputSchema.columnsHelp.name: true
        default: published == items
        }
    }
}
