import Calendar
import Partitions
import Records
import SQLite

/// A part of a whole, shown as a bar and as a row of a table.
private struct SharePart {
    let name: String
    /// The name of the whole, and the platform, if the parts differ in these.
    var whole = ""
    var platform = ""
    let now: Proportion
    /// On the days compared, and on their counterparts; nil if nothing is compared.
    let compared: (now: Proportion, before: Proportion)?
    /// A further value in the table.
    var more = ""
}

extension PageSection {
    private typealias Headings = (name: String, count: String, share: String, more: String)

    /// A section about parts of wholes.
    /// - Parameters:
    ///   - headings: the headings of the table's columns.
    ///   - isMoreText: whether the further values are words.
    private init(
        _ id: String, title: String, nothing: String? = nil, of parts: [SharePart], in figures: ReportFigures,
        chartTitle: String, tableTitle: String, headings: Headings, isMoreText: Bool = true, places: Int,
        summary: String, note: String
    ) {
        // Only the parts of all platforms get bars.
        let bars = parts.filter { ["", "all"].contains($0.platform) }.map { part in
            BarChart.Bar(
                name: part.name, value: part.now.rate ?? 0, text: NumberText.percent(part.now.rate, places: places),
                compared: part.compared?.before.rate)
        }
        func have(_ text: (SharePart) -> String) -> Bool { parts.contains { !text($0).isEmpty } }
        let table = DataTable(
            tableTitle, of: parts,
            columns: [
                .markup(headings.name) { Markup.data($0.name) },
                .text("platform", if: have(\.platform)) { $0.platform },
                .count(headings.count) { $0.now.part },
                .text("of", if: have(\.whole)) { $0.whole },
                .count("number", if: have(\.whole)) { $0.now.whole },
                .rate(headings.share, places: places) { $0.now.rate },
                .markup(headings.more, isText: isMoreText, if: have(\.more)) { Markup($0.more) },
            ]
                + DataTable.Column.former(
                    count: "\(headings.count) \(figures.comparedColumn)", rate: "\(headings.share) then",
                    if: parts.contains { $0.compared != nil }, places: places
                ) { ($0.compared?.before.part, $0.compared?.before.rate, $0.compared?.now.rate) })
        self.init(id, title: title, nothing: nothing) {
            Figure(
                id: "\(id)-chart", title: chartTitle, summary: summary, note: note, width: 504,
                chart: BarChart(bars: bars, comparedName: figures.comparedName), table: table,
                tableNote: figures.comparedNote)
        }
    }
}

extension PageSection {
    /// The quality of the apps' events: opens without the events that belong to them, and duplicates.
    static func quality(of figures: ReportFigures) -> PageSection {
        let shares: [(name: String, whole: String, of: (Totals) -> Proportion)] = [
            ("opened without impression", "opened", { $0.share(.openedWithoutImpression, of: .opened) }),
            ("opened without click", "opened", { $0.share(.openedWithoutClick, of: .opened) }),
            ("duplicates", "accepted records", { Proportion(part: $0.duplicates, whole: $0.events + $0.duplicates) }),
        ]
        let parts = shares.flatMap { share in
            ([nil] + figures.now.platforms).map { platform in
                let compared = figures.all.compared(of: platform)
                return SharePart(
                    name: share.name, whole: share.whole, platform: platform ?? "all",
                    now: share.of(figures.all.sum(of: platform)),
                    compared: figures.isCompared ? (share.of(compared.now), share.of(compared.before)) : nil)
            }
        }
        let told = parts.filter { $0.platform == "all" }.map { part in
            "\(part.name): \(NumberText.percent(part.now.rate)) of \(part.whole)"
        }
        return PageSection(
            "quality", title: "What the apps leave out or repeat", of: parts, in: figures,
            chartTitle: "Opens without impression or click, and duplicates",
            tableTitle: "opens without impression or click, and duplicates",
            headings: ("figure", "count", "share", ""), places: 1, summary: told.joined(separator: "; ") + ".",
            note: "Every open should come with an impression and a click. Duplicates are counted once.")
    }

    /// How late events come: what the network and the apps' retries do.
    static func lateness(of figures: ReportFigures) throws -> PageSection {
        try figures.database.checkEnds(of: "day", in: "hourly_actions")
        let steps: [(name: String, days: ClosedRange<Int>)] = [
            ("before the day", Int.min...(-1)), ("on the day", 0...0), ("1 day later", 1...1),
            ("2 to 3 days", 2...3), ("4 to 7 days", 4...7), ("8 days or more", 8...Int.max),
        ]
        let answer = try Answer(to: "lateness", in: figures) { row in
            let days = try row.date(0).dayNumber - row.date(3).dayNumber
            return steps.first { $0.days.contains(days) }?.name
        }
        let parts = steps.map { answer.part($0.name, more: NumberText.exact(answer.now.others[$0.name] ?? 0)) }
        return PageSection(
            "lateness", title: "How late events come",
            nothing: answer.now.whole == 0 ? "There was no event in this period." : nil, of: parts, in: figures,
            chartTitle: "Events by how many days after their day they were logged", tableTitle: "events by lateness",
            headings: ("log date less day", "events", "share", "duplicates"), isMoreText: false, places: 2,
            summary:
                "\(NumberText.percent(parts[1].now.rate)) on the day, \(NumberText.percent(parts[2].now.rate)) a day later.",
            note:
                "The log date whose files brought the event, less the day of the event. Before the day: the device's clock "
                + "ran ahead, or the log was rotated early.")
    }

    /// The records that could not be read, by reason.
    static func rejects(of figures: ReportFigures) throws -> PageSection {
        try figures.database.checkEnds(of: "log_date", in: "outcomes")
        let answer = try Answer(to: "rejects", in: figures) { try $0.read(0) }
        let now = answer.now
        let former = answer.compared?.before.counts.keys.sorted() ?? []
        let reasons = now.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let rejected = Proportion(part: now.counts.values.reduce(0, +), whole: now.whole)
        let filtered = "were filtered, because they are not push events."
        let none =
            now.whole == 0
            ? "No records were read: no log date of this period is loaded."
            : "None of \(NumberText.exact(now.whole)) records was rejected; \(NumberText.exact(now.otherWhole)) \(filtered)"
        let note =
            "Of the period's log dates \(NumberText.exact(now.whole)) records were read: "
            + "\(NumberText.percent(rejected.rate, places: 2)) were rejected, and "
            + "\(NumberText.percent(Proportion(part: now.otherWhole, whole: now.whole).rate)) \(filtered)"
        let parts = (reasons + former.filter { now.counts[$0] == nil }).map { reason in
            answer.part(reason, more: RejectReason.allCases.first { $0.code == reason }?.meaning ?? "")
        }
        return PageSection(
            "rejects", title: "Records that could not be read", nothing: rejected.part == 0 ? none : nil, of: parts,
            in: figures, chartTitle: "Rejected records by reason", tableTitle: "rejected records",
            headings: ("reason", "records", "of records read", "meaning"), places: 3, summary: note, note: note)
    }
}

/// The result of a question about days. Each row has a name or NULL, a count, and a further count.
private struct Answer {
    struct Sums {
        /// The counts and the further counts, by name.
        var counts: [String: Int] = [:]
        var others: [String: Int] = [:]
        /// The sum of all counts, and the sum of the further counts of rows without a name.
        var whole = 0
        var otherWhole = 0
    }

    let now: Sums
    /// The sums on the days compared, and on their counterparts; nil if nothing is compared.
    let compared: (now: Sums, before: Sums)?

    /// - Parameter name: returns the name of a row; nil if the row counts only in the whole.
    init(to question: String, in figures: ReportFigures, name: (Statement) throws -> String?) throws {
        func sums(of periods: [ReportPeriod]) throws -> Sums {
            var sums = Sums()
            for period in periods {
                try figures.database.forEach(Question.page(question), during: period) { row in
                    let count = try row.count(1)
                    let other = try row.count(2)
                    sums.whole += count
                    if let name = try name(row) {
                        sums.counts[name, default: 0] += count
                        sums.others[name, default: 0] += other
                    } else {
                        sums.otherWhole += other
                    }
                }
            }
            return sums
        }
        // The compared days may have gaps, so each day is asked for separately.
        func sums(on days: [LogDate]) throws -> Sums { try sums(of: days.map { ReportPeriod(first: $0, last: $0) }) }
        let days = figures.comparableDays
        let all = try sums(of: [figures.period])
        now = all
        compared =
            figures.isCompared
            ? (days == figures.period.days ? all : try sums(on: days), try sums(on: figures.counterparts(of: days)))
            : nil
    }

    func part(_ name: String, more: String) -> SharePart {
        func share(of sums: Sums) -> Proportion { Proportion(part: sums.counts[name] ?? 0, whole: sums.whole) }
        let compared = compared.map { (now: share(of: $0.now), before: share(of: $0.before)) }
        return SharePart(name: name, now: share(of: now), compared: compared, more: more)
    }
}
