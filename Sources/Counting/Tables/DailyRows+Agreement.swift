extension DailyRows {
    /// The columns that follow from the stages alone.
    private static let stageColumns: [FunnelColumn] = [
        .messages, .arrived, .impressed, .clicked, .opened, .dismissed, .openedWithoutClick, .openedWithoutImpression,
        .openedImpressed, .openedSeen, .arrivedUnseen,
    ]

    /// Checks that the tables add up to one another by the columns that they share.
    package func checkAgreement() throws(TableDisagreement) {
        try compareHours()
        try compareLateness()
        try compareTotals()
        try comparePaths()
    }

    private func compareHours() throws(TableDisagreement) {
        var sums = SumComparison("daily_actions", "hourly_actions")
        for row in actions { sums.add(row.counts, at: PackedKey(row.day, row.source, row.platform, 0, row.action)) }
        for row in hours { sums.subtract(row.counts, at: PackedKey(row.day, row.source, row.platform, 0, row.action)) }
        try sums.check()
    }

    private func compareLateness() throws(TableDisagreement) {
        var sums = SumComparison("daily_actions", "daily_lateness")
        for row in actions { sums.add(row.counts, at: PackedKey(row.day, row.source, .unknown, 0, 0)) }
        for row in lateness { sums.subtract(row.counts, at: PackedKey(row.day, row.source, .unknown, 0, 0)) }
        try sums.check()
    }

    private func compareTotals() throws(TableDisagreement) {
        var events = SumComparison("daily_actions", "daily_totals")
        for row in actions { events.add(row.counts, at: PackedKey(row.day, 0, row.platform, 0, 0)) }
        for row in totals { events.subtract(row.counts, at: PackedKey(row.day, 0, row.platform, 0, 0)) }
        try events.check()
        var messages = SumComparison("daily_funnel", "daily_totals", columns: FunnelColumn.allCases.count)
        for row in funnel { messages.add(row.counts.all, at: PackedKey(row.day, 0, row.platform, 0, 0)) }
        for row in totals { messages.subtract(row.funnel.all, at: PackedKey(row.day, 0, row.platform, 0, 0)) }
        try messages.check()
    }

    private func comparePaths() throws(TableDisagreement) {
        let columns = DailyRows.stageColumns
        var sums = SumComparison("daily_totals", "daily_paths", columns: columns.count)
        for row in totals {
            sums.add(columns.map { row.funnel[$0] }, at: PackedKey(row.day, 0, row.platform, 0, 0))
        }
        for row in paths { sums.subtract(columns.map { row[$0] }, at: PackedKey(row.day, 0, row.platform, 0, 0)) }
        try sums.check()
    }
}
