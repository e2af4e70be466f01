import Events
import Testing

@testable import Counting

@Suite struct TableAgreementTests {
    private static let names = EventNames(
        sources: ["adobe"], actions: ["click", "impression", "open"], deliveries: ["d1"])

    /// The tables of one partition with two messages.
    private func tables() -> DailyTables {
        var tables = DailyTables()
        let counts = EventCounts(events: 2, duplicates: 1)
        tables.daily.table.add(counts, at: PackedKey(3, 0, .ios, 0, 1))
        tables.hourly.table.add(counts, at: PackedKey(.init(number: 72, offset: 0), 0, .ios, 1))
        tables.funnel.merge(2, at: DailyFunnel.key(3, .ios, 0, MessageOutcome(rawValue: 0x1A)))
        return tables
    }

    private func rows(_ tables: DailyTables) -> DailyRows {
        let names = GlobalNames([Self.names], pipelineSources: ["adobe"])
        var combined = CombinedTables(of: [3])
        combined.merge(tables, at: 0, names, logDate: 4)
        return combined.rows(names)
    }

    private func rows(_ rows: DailyRows, totals: [DailyTotals.Row]) -> DailyRows {
        DailyRows(
            actions: rows.actions, funnel: rows.funnel, totals: totals, hours: rows.hours, lateness: rows.lateness,
            paths: rows.paths)
    }

    @Test func tablesThatAgreePass() throws {
        try rows(tables()).checkAgreement()
    }

    @Test func hoursThatLackAnEventDisagree() {
        var tables = tables()
        tables.hourly.table.add(
            EventCounts(events: -1, duplicates: 1), at: PackedKey(.init(number: 72, offset: 0), 0, .ios, 1))
        #expect(throws: TableDisagreement(day: 3, tables: ["daily_actions", "hourly_actions"])) {
            try rows(tables).checkAgreement()
        }
    }

    @Test func aMessageThatOneTableLacksIsFound() {
        let good = rows(tables())
        var totals = good.totals
        totals[0].funnel.add(1, MessageOutcome(rawValue: 0))
        #expect(throws: TableDisagreement(day: 3, tables: ["daily_funnel", "daily_totals"])) {
            try rows(good, totals: totals).checkAgreement()
        }
        let paths = [DailyPaths.Row(day: 3, platform: .ios, stages: [.impressed, .clicked], messages: 2)]
        let others = DailyRows(
            actions: good.actions, funnel: good.funnel, totals: good.totals, hours: good.hours,
            lateness: good.lateness, paths: paths)
        #expect(throws: TableDisagreement(day: 3, tables: ["daily_totals", "daily_paths"])) {
            try others.checkAgreement()
        }
    }

    @Test func columnsAreNamedByTheirLimits() {
        for column in FunnelColumn.allCases {
            let words = "\(column)".replacing(/[A-Z]/) { "_\($0.0.lowercased())" }
            #expect(column.name == words.replacing(/^opened([0-9])/) { "opened_\($0.1)" })
        }
    }

    @Test(
        arguments: zip(
            FunnelColumn.allCases.suffix(12),
            [10, 60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 259_200, 604_800]))
    func anOpenIsWithinALimitUpToItsLastMillisecond(column: FunnelColumn, seconds: Int64) {
        let stages: Stages = [.impressed, .opened]
        #expect(column.counts(MessageOutcome(stages, first: -7, open: -7 + seconds * 1000)))
        #expect(!column.counts(MessageOutcome(stages, first: -7, open: -6 + seconds * 1000)))
        #expect(!column.counts(MessageOutcome([.clicked, .opened], first: 0, open: 0)))
        #expect(!column.counts(MessageOutcome(stages, first: .min, open: .max)))
        #expect(FunnelColumn.openedSeen.counts(MessageOutcome(stages, first: .min, open: .max)))
    }
}
