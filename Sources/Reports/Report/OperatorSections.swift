import Counting
import Partitions
import Records
import SQLite

/// What the SDKs do: opens without the events that belong to them, and records that come twice.
struct QualitySection {
    private static let shares: [(name: String, wholeName: String, of: @Sendable (Totals) -> Proportion)] = [
        ("opened without impression", "opened", { $0.share(.openedWithoutImpression, of: .opened) }),
        ("opened without click", "opened", { $0.share(.openedWithoutClick, of: .opened) }),
        ("duplicates", "accepted records", { Proportion(part: $0.duplicates, whole: $0.events + $0.duplicates) }),
    ]

    let figures: ReportFigures

    var markup: Markup {
        .section("quality", "What the apps leave out or repeat") { figure }
    }

    private var figure: Markup {
        let (now, before) = (figures.now.sum(), figures.compared().before)
        let bars = QualitySection.shares.map { share in
            let rate = share.of(now).rate
            return BarChart.Bar(
                name: share.name, value: rate ?? 0, text: NumberText.percent(rate), compared: share.of(before).rate)
        }
        let summary = zip(QualitySection.shares, bars).map { "\($0.name): \($1.text) of \($0.wholeName)" }
        return BarChart(bars: bars, comparedName: figures.comparedName).figure(
            "quality-chart", "Opens without impression or click, and duplicates",
            summary: summary.joined(separator: "; ") + ".", width: 504,
            note: "Every open should come with an impression and a click. Duplicates are counted once.", table: table)
    }

    private var table: DataTable {
        let isCompared = figures.isCompared
        let rows = QualitySection.shares.flatMap { share in
            ([nil] + figures.now.platforms).map { platform in
                let (now, before) = figures.compared(platform: platform)
                return (
                    share: share, platform: platform ?? "all", sum: share.of(figures.now.sum(platform: platform)),
                    now: share.of(now).rate, before: share.of(before).rate
                )
            }
        }
        return DataTable(
            "opens without impression or click, and duplicates", of: rows,
            [
                .text("figure") { $0.share.name },
                .text("platform") { $0.platform },
                .count("count") { $0.sum.part },
                .text("of") { $0.share.wholeName },
                .count("number") { $0.sum.whole },
                .rate("share") { $0.sum.rate },
                .rate("share \(figures.comparedColumn)", if: isCompared) { $0.before },
                .number("change", if: isCompared) { NumberText.points(from: $0.before, to: $0.now) },
            ])
    }
}

/// The answer to a query about a period: counts by name, which are shown as bars.
private struct Answer {
    /// The counts that are shown, by name.
    private(set) var counts: [String: Int] = [:]
    /// What else is told of each.
    private(set) var others: [String: Int] = [:]
    /// The sum of all counts, also of those without a name, and of what else is told of these.
    private(set) var whole = 0
    private(set) var otherWhole = 0

    func share(_ name: String) -> Double? { Proportion(part: counts[name] ?? 0, whole: whole).rate }

    /// Of the period, and of the days that it is compared with; nil if there are none.
    /// - Parameters:
    ///   - question: of the page, about days: a name or NULL, a count, and what else is told.
    ///   - name: what a name of the query is called.
    static func both(
        _ figures: ReportFigures, _ question: String, name: (Statement) throws -> String?
    ) throws -> (now: Answer, before: Answer?) {
        let sql = Question.page(question)
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
        // Day by day: between those that are compared lie others that are not.
        let days = figures.counterparts(figures.comparableDays).map { ReportPeriod(first: $0, last: $0) }
        return (try answer([figures.period]), days.isEmpty ? nil : try answer(days))
    }
}

/// How late events come: what the network and the apps' retries do.
enum LatenessSection {
    private static let steps: [(name: String, days: ClosedRange<Int>)] = [
        ("before the day", Int.min...(-1)), ("on the day", 0...0), ("1 day later", 1...1), ("2 to 3 days", 2...3),
        ("4 to 7 days", 4...7), ("8 days or more", 8...Int.max),
    ]

    static func markup(_ figures: ReportFigures) throws -> Markup {
        try figures.database.checkEnds(of: "day", in: "hourly_actions")
        let (now, before) = try Answer.both(figures, "lateness") { row in
            let days = try row.date(0).dayNumber - row.date(3).dayNumber
            return steps.first { $0.days.contains(days) }?.name
        }
        func share(_ name: String, _ places: Int) -> String { NumberText.percent(now.share(name), places: places) }
        let chart = BarChart(
            bars: steps.map { name, _ in
                BarChart.Bar(
                    name: name, value: now.share(name) ?? 0, text: share(name, 2), compared: before?.share(name))
            }, comparedName: figures.comparedName)
        let table = DataTable(
            "events by lateness", of: steps.map(\.name),
            [
                .text("log date less day") { $0 },
                .count("events") { now.counts[$0] ?? 0 },
                .rate("share", places: 2) { now.share($0) },
                .count("duplicates") { now.others[$0] ?? 0 },
                .count("events \(figures.comparedColumn)", if: before != nil) { before?.counts[$0] ?? 0 },
                .rate("share then", if: before != nil, places: 2) { before?.share($0) },
            ])
        let note =
            "The log date whose files brought the event, less the day of the event. Before the day: the device's clock "
            + "ran ahead, or the log was rotated early."
        let nothing = now.whole == 0 ? "There was no event in this period." : nil
        return .section("lateness", "How late events come", nothing: nothing) {
            chart.figure(
                "lateness-chart", "Events by how many days after their day they were logged",
                summary: "\(share("on the day", 1)) on the day, \(share("1 day later", 1)) a day later.",
                width: 504, note: note, table: table)
        }
    }
}

/// The records that could not be read, by reason.
enum RejectSection {
    static func markup(_ figures: ReportFigures) throws -> Markup {
        try figures.database.checkEnds(of: "log_date", in: "outcomes")
        let (now, before) = try Answer.both(figures, "rejects") { try $0.read(0) }
        let rejected = now.counts.values.reduce(0, +)
        let filtered = "were filtered, because they are not push events."
        func share(_ part: Int, places: Int) -> String {
            NumberText.percent(Proportion(part: part, whole: now.whole).rate, places: places)
        }
        let reasons = now.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let former = (before?.counts.keys).map { $0.filter { now.counts[$0] == nil }.sorted() } ?? []
        let note =
            "Of the period's log dates \(NumberText.exact(now.whole)) records were read: "
            + "\(share(rejected, places: 2)) were rejected, and \(share(now.otherWhole, places: 1)) \(filtered)"
        let chart = BarChart(
            bars: reasons.map {
                BarChart.Bar(name: $0.key, value: Double($0.value), text: NumberText.rounded($0.value))
            })
        let table = DataTable(
            "rejected records", of: reasons.map(\.key) + former,
            [
                .markup("reason") { reason in .element("code") { Markup.data(reason) } },
                .count("records") { now.counts[$0] ?? 0 },
                .rate("of records read", places: 3) { now.share($0) },
                .count(figures.comparedColumn, if: before != nil) { before?.counts[$0] ?? 0 },
                .rate("of records then", if: before != nil, places: 3) { before?.share($0) },
                .text("meaning") { code in RejectReason.allCases.first { $0.code == code }?.meaning ?? "" },
            ])
        let none =
            now.whole == 0
            ? "No records were read: no log date of this period is loaded."
            : "None of \(NumberText.exact(now.whole)) records was rejected; \(NumberText.exact(now.otherWhole)) \(filtered)"
        return .section("rejects", "Records that could not be read", nothing: rejected == 0 ? none : nil) {
            chart.figure(
                "rejects-chart", "Rejected records by reason", summary: note, width: 504, note: note, table: table)
        }
    }
}

/// The last part of the page: what the operator has to know, folded where nobody has to look at anything.
struct OperatorSections {
    let trust: Trust
    /// What else there is, and its name in the summary.
    var others: (names: String, markup: Markup) = ("", .nothing)

    init(trust: Trust) { self.trust = trust }

    init(figures: ReportFigures) throws {
        trust = Trust(figures: figures)
        guard figures.table.hasFigures(figures.period) else { return }
        let lateness = figures.table.isOneLoad ? Markup.nothing : try LatenessSection.markup(figures)
        var markup = Markup.element("div", ["class": "pair"]) {
            QualitySection(figures: figures).markup
            lateness
        }
        markup.append(try RejectSection.markup(figures))
        others = (", what the apps leave out, lateness, rejects", markup)
    }

    var markup: Markup {
        .element("details", trust.isSound ? ["class": "operator"] : ["class": "operator", "open": "open"]) {
            Markup.element("summary") { "For the operator: log dates and warnings\(others.names)" }
            Markup.section("operator", "State of the log dates") {
                if !trust.operatorLines.isEmpty {
                    Markup.element("ul") { for line in trust.operatorLines { Markup.element("li") { line } } }
                }
                if !trust.table.isOneLoad { Markup.paragraph(trust.maturity) }
                trust.logDates
            }
            others.markup
        }
    }
}
