import Counting
import Partitions
import SQLite

/// What the SDKs do: opens without the events that belong to them, and records that come twice.
struct QualitySection {
    private struct Share: Sendable {
        let name: String
        let part: @Sendable (Totals) -> Int
        let wholeName: String
        let whole: @Sendable (Totals) -> Int

        func rate(_ totals: Totals) -> Double? { Proportion(part: part(totals), whole: whole(totals)).rate }
    }

    private static let shares = [
        Share(
            name: "opened without impression", part: { $0[.openedWithoutImpression] }, wholeName: "opened",
            whole: { $0[.opened] }),
        Share(
            name: "opened without click", part: { $0[.openedWithoutClick] }, wholeName: "opened",
            whole: { $0[.opened] }),
        Share(
            name: "duplicates", part: { $0.duplicates }, wholeName: "accepted records",
            whole: { $0.events + $0.duplicates }),
    ]

    let figures: ReportFigures

    private var now: Totals { figures.now.sum() }
    private var before: Totals? { figures.compared()?.before }

    var markup: Markup {
        .section("quality", "What the apps leave out or repeat") {
            chart.figure(
                "quality-chart", width: 504,
                note: "Every open should come with an impression and a click. Duplicates are counted once.",
                table: table)
        }
    }

    private var chart: BarChart {
        BarChart(
            title: "Opens without impression or click, and duplicates", summary: summary,
            bars: QualitySection.shares.map { share in
                BarChart.Bar(
                    name: share.name, value: share.rate(now) ?? 0, text: NumberText.percent(share.rate(now)),
                    compared: before.flatMap(share.rate))
            }, comparedName: figures.comparedName)
    }

    private var summary: String {
        QualitySection.shares.map { "\($0.name): \(NumberText.percent($0.rate(now))) of \($0.wholeName)" }
            .joined(separator: "; ") + "."
    }

    private var table: DataTable {
        let platforms = [nil] + figures.now.platforms.map(Optional.some)
        let rows = QualitySection.shares.flatMap { share in
            platforms.map { platform in
                let (now, before) = figures.compared(platform: platform) ?? (Totals(), Totals())
                return (
                    share: share, platform: platform, sum: figures.now.sum(platform: platform), now: share.rate(now),
                    before: share.rate(before)
                )
            }
        }
        return DataTable(
            "opens without impression or click, and duplicates", of: rows,
            [
                .text("figure") { $0.share.name },
                .text("platform") { $0.platform ?? "all" },
                .number("count") { NumberText.exact($0.share.part($0.sum)) },
                .text("of") { $0.share.wholeName },
                .number("number") { NumberText.exact($0.share.whole($0.sum)) },
                .number("share") { NumberText.percent($0.share.rate($0.sum)) },
                .number("share \(figures.comparedColumn)", if: before != nil) { NumberText.percent($0.before) },
                .number("change", if: before != nil) { NumberText.points(from: $0.before, to: $0.now) },
            ])
    }
}

/// A section that is a query with a title: what it counts as bars, and in a table beside the counts of the compared period.
struct QuerySection {
    /// What the query gives for a period.
    struct Answer {
        /// The counts that are shown, by name.
        var counts: [String: Int] = [:]
        /// What else is told of each.
        var others: [String: Int] = [:]
        /// The sum of all counts, also of those without a name, and of what else is told of these.
        var whole = 0
        var otherWhole = 0

        func share(_ name: String) -> Double? { Proportion(part: counts[name] ?? 0, whole: whole).rate }
    }

    let id: String
    let title: String
    let chartTitle: String
    let caption: String
    /// The name of the column of names, and of the columns of counts and shares, now and before.
    let columns: (name: String, count: String, share: String, formerCount: String, formerShare: String)
    /// The places of shares in the table.
    let places: Int
    let now: Answer
    let before: Answer?

    /// - Parameters:
    ///   - sql: about the days from ?1 to ?2: a name or NULL, a count, and what else is told.
    ///   - name: what a name of the query is called.
    init(
        _ id: String, _ title: String, chart: String, caption: String,
        columns: (name: String, count: String, share: String, formerCount: String, formerShare: String), places: Int,
        _ figures: ReportFigures, sql: String, name: (Statement) throws -> String?
    ) throws {
        func answer(_ periods: [ReportPeriod]) throws -> Answer {
            var answer = Answer()
            for period in periods {
                try figures.database.forEach(sql, during: period) { row in
                    let (count, other) = (try row.count(1), try row.count(2))
                    answer.whole += count
                    guard let name = try name(row) else {
                        answer.otherWhole += other
                        return
                    }
                    answer.counts[name, default: 0] += count
                    answer.others[name, default: 0] += other
                }
            }
            return answer
        }
        (self.id, self.title, self.caption, chartTitle) = (id, title, caption, chart)
        (self.columns, self.places) = (columns, places)
        now = try answer([figures.period])
        // Day by day: between those that are compared lie others that are not.
        let days = figures.counterparts(figures.comparableDays)
        before = days.isEmpty ? nil : try answer(days.map { ReportPeriod(first: $0, last: $0) })
    }

    /// - Parameters:
    ///   - names: of the rows, in order.
    ///   - other: what else a row tells, behind its share.
    ///   - last: what it tells at the end.
    func markup(
        _ bars: [BarChart.Bar], comparedName: String? = nil, summary: String, note: String, names: [String],
        other: DataTable.Column<String>? = nil, last: DataTable.Column<String>? = nil,
        name: @escaping (String) -> Markup
    ) -> Markup {
        let before = before ?? Answer()
        let isCompared = self.before != nil
        let chart = BarChart(title: chartTitle, summary: summary, bars: bars, comparedName: comparedName)
        let table = DataTable(
            caption, of: names,
            [
                .markup(columns.name, name), .number(columns.count) { NumberText.exact(now.counts[$0] ?? 0) },
                .number(columns.share) { NumberText.percent(now.share($0), places: places) },
            ] + [other].compactMap { $0 } + [
                .number(columns.formerCount, if: isCompared) { NumberText.exact(before.counts[$0] ?? 0) },
                .number(columns.formerShare, if: isCompared) { NumberText.percent(before.share($0), places: places) },
            ] + [last].compactMap { $0 })
        return .section(id, title) { chart.figure("\(id)-chart", width: 504, note: note, table: table) }
    }

    // MARK: How late events come: what the network and the apps' retries do

    private static let lateness: [(name: String, days: ClosedRange<Int>)] = [
        ("before the day", Int.min...(-1)), ("on the day", 0...0), ("1 day later", 1...1), ("2 to 3 days", 2...3),
        ("4 to 7 days", 4...7), ("8 days or more", 8...Int.max),
    ]

    static func lateness(_ figures: ReportFigures) throws -> Markup {
        try figures.database.checkEnds(of: "day", in: "daily_lateness")
        let section = try QuerySection(
            "lateness", "How late events come", chart: "Events by how many days after their day they were logged",
            caption: "events by lateness",
            columns: ("log date less day", "events", "share", "events \(figures.comparedColumn)", "share then"),
            places: 2,
            figures,
            sql: """
                SELECT days_late, \(Database.sum("events")), \(Database.sum("duplicates")) FROM daily_lateness
                WHERE day BETWEEN ?1 AND ?2 GROUP BY days_late
                """
        ) { row in
            let days: Int = try row.read(0)
            return lateness.first { $0.days.contains(days) }?.name
        }
        guard section.now.whole > 0 else {
            return .section(section.id, section.title) { Markup.paragraph("There was no event in this period.") }
        }
        let names = lateness.map(\.name)
        func share(_ name: String, _ places: Int) -> String {
            NumberText.percent(section.now.share(name), places: places)
        }
        return section.markup(
            names.map { name in
                BarChart.Bar(
                    name: name, value: section.now.share(name) ?? 0, text: share(name, 2),
                    compared: section.before?.share(name))
            }, comparedName: figures.comparedName,
            summary: "\(share("on the day", 1)) on the day, \(share("1 day later", 1)) a day later.",
            note:
                "The log date whose files brought the event, less the day of the event. Before the day: the device's clock "
                + "ran ahead, or the log was rotated early.", names: names,
            other: .number("duplicates") { NumberText.exact(section.now.others[$0] ?? 0) }, name: Markup.init(text:))
    }

    // MARK: The records that could not be read, by reason

    private static let meanings = [
        "line_too_long": "a line over 1 MiB, or a JSON object over 8 MiB",
        "malformed_line": "the line does not fit its layout",
        "joined_lines": "a line that holds a second hit",
        "malformed_id": "an id is not of its form",
        "empty_id": "a part of the id is empty",
        "unknown_action": "an action code that the pipeline does not name",
        "bad_time": "no time that can be read",
        "no_body": "a request without a body",
        "not_json": "a value that is not JSON, such as an encrypted one",
        "bad_json": "invalid JSON",
        "not_users_track": "JSON that is not a body of /users/track",
        "not_events": "JSON without the array of events that the pipeline names",
        "missing_action": "no action",
        "bad_tracking": "a tracking value other than on and off",
        "missing_id": "no broadlog id or no delivery id",
    ]

    static func rejects(_ figures: ReportFigures) throws -> Markup {
        try figures.database.checkEnds(of: "log_date", in: "outcomes")
        let section = try QuerySection(
            "rejects", "Records that could not be read", chart: "Rejected records by reason",
            caption: "rejected records",
            columns: ("reason", "records", "of records read", figures.comparedColumn, "of records then"), places: 3,
            figures,
            sql: """
                SELECT CASE outcome WHEN 'rejected' THEN reason END, \(Database.sum("records")),
                    sum(records * (outcome = 'filtered')) AS filtered
                FROM outcomes WHERE log_date BETWEEN ?1 AND ?2 GROUP BY 1
                """
        ) { try $0.read(0) }
        let (now, before) = (section.now, section.before)
        let rejected = now.counts.values.reduce(0, +)
        let filtered = "were filtered, because they are not push events."
        if rejected == 0 {
            return .section(section.id, section.title) {
                Markup.paragraph(
                    now.whole == 0
                        ? "No records were read: no log date of this period is loaded."
                        : "None of \(NumberText.exact(now.whole)) records was rejected; "
                            + "\(NumberText.exact(now.otherWhole)) \(filtered)")
            }
        }
        func share(_ part: Int, places: Int) -> String {
            NumberText.percent(Proportion(part: part, whole: now.whole).rate, places: places)
        }
        let reasons = now.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let former = (before?.counts.keys).map { $0.filter { now.counts[$0] == nil }.sorted() } ?? []
        let note =
            "Of the period's log dates \(NumberText.exact(now.whole)) records were read: "
            + "\(share(rejected, places: 2)) were rejected, and \(share(now.otherWhole, places: 1)) \(filtered)"
        return section.markup(
            reasons.map { BarChart.Bar(name: $0.key, value: Double($0.value), text: NumberText.rounded($0.value)) },
            summary: note, note: note, names: reasons.map(\.key) + former, last: .text("meaning") { meanings[$0] ?? "" }
        ) { reason in
            .element("code") { Markup.data(reason) }
        }
    }
}
