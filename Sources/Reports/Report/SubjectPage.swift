import Calendar
import Counting
import Messages

/// The page of a campaign or a delivery: its results, beside the median of others.
struct SubjectPage {
    let figures: SubjectFigures

    private var base: String { figures.isOfSent ? "sent" : "messages" }
    private var trust: Trust? {
        figures.period.map { Trust(in: figures.table, days: $0.days, isAlone: figures.request.place == nil) }
    }

    var html: String {
        ReportPage.html(title: "\(figures.request.title), \(figures.name.shown)") {
            header
            Markup.element("main") {
                if let trust {
                    for section in [.trust(trust)] + sections + [.definitions(in: figures.table)] { section }
                    Markup.operatorPart(trust)
                } else {
                    Markup.paragraph("It was not sent yet, or no log date with its messages is loaded.")
                }
            }
        }
    }

    private var sections: [PageSection] {
        let isCampaign = figures.subject.isCampaign
        let haveVariants = figures.deliveries.contains { $0.variant != nil }
        return [
            outcome, platforms, isCampaign ? deliveries : nil, days, delay,
            isCampaign && haveVariants ? .variants(of: figures.deliveries) : nil,
        ].compactMap(\.self)
    }

    private var header: Markup {
        .header(
            over: figures.request.title, in: figures.request.place, more: ", \(figures.subject.kind)",
            title: Markup.data(figures.name), under: under)
    }

    private var under: String {
        let count = NumberText.deliveries(figures.deliveries.count)
        let days = figures.period.map { ", \(DateText.range($0.first, to: $0.last))" } ?? ""
        return "\(count)\(days), each with at most \(SubjectFigures.mostDays) days from its first one on. \(others) "
            + "Days are those of \(figures.table.timeZone)."
    }

    /// A description of what the medians are about.
    private var others: String {
        let (name, names) = figures.subject.isCampaign ? ("campaign", "campaigns") : ("delivery", "deliveries")
        let count = figures.others.count
        guard figures.median({ $0.rate(.opened) }) != nil else {
            return
                "There are too few other \(names) of the \(SubjectFigures.formerDays) days before to compare it with."
        }
        return
            "Compared with the median of \(Text.plural(count, of: "other \(name)", irregular: "other \(names)")) that began in the "
            + "\(SubjectFigures.formerDays) days before."
    }

    // MARK: What became of it

    /// A figure, its share of what was sent or known, and the median of the others.
    private typealias Row = (name: String, count: Int?, rate: Double?, median: Double?)

    private var rows: [Row] {
        let result = figures.result
        let columns: [FunnelColumn] = [.failed, .arrived, .impressed, .clicked, .opened, .dismissed]
        let stages = columns.told(in: [result.totals]).map { column in
            Row(column.name, result.totals[column], result.rate(column), figures.median { $0.rate(column) })
        }
        let limits = [("opened within 1 h", FunnelColumn.opened1h), ("opened within 24 h", .opened24h)]
        let soon = limits.map { name, column in
            Row(
                name, result.totals[column], result.totals.rate(column, of: .openedSeen),
                figures.median { $0.totals.rate(column, of: .openedSeen) })
        }
        let delivered = figures.rated.compactMap(\.delivered).knownSum
        let first: [Row] = [
            ("sent", result.sent, nil, nil), ("delivered", delivered, nil, nil),
            ("messages", result.totals[.messages], figures.isOfSent ? result.rate(.messages) : nil, nil),
        ]
        return first.filter { $0.count != nil } + stages + soon
    }

    private var outcome: PageSection {
        let rows = rows
        let shown = ["sent", "messages", "failed", "arrived", "opened"]
        let counts = rows.filter { shown.contains($0.name) }.map { row in
            Card(name: row.name.prefix(1).uppercased() + row.name.dropFirst(), value: row.count.map(NumberText.rounded))
        }
        let rates = rows.filter { $0.name == "opened" }.map { row in
            Card(
                name: "Opened of \(base)", value: NumberText.percent(row.rate),
                change: row.median.map { Markup("median \(NumberText.percent($0))") })
        }
        return .headline(counts + rates, notes: [note]) {
            DataTable(
                "what became of it", of: rows,
                columns: [
                    .text("figure") { $0.name },
                    .count("number") { $0.count },
                    .number("share") { row in
                        let whole = row.name.hasPrefix("opened within") ? "of opens" : "of \(base)"
                        return row.rate.map { "\(NumberText.percent($0)) \(whole)" }
                    },
                    .rate("median of the others", if: figures.median { $0.rate(.opened) } != nil) { $0.median },
                ])
        }
    }

    private var note: String? {
        let left = figures.deliveries.count - figures.rated.count
        let failed = figures.deliveries.count(where: \.isFailed)
        let parts = figures.deliveries.count { !$0.isWithCompleteLogs }
        let others = figures.deliveries.count { $0.group != figures.groups[0] }
        let notes = [
            left > 0 ? "These figures are of \(figures.rated.count) of \(figures.deliveries.count) deliveries." : nil,
            others > 0
                ? "Of \(NumberText.exact(others)) it is not known, or known in another way, how many were sent." : nil,
            failed > 0
                ? "\(NumberText.deliveries(failed)) failed: hardly any of what was sent became known."
                : nil,
            parts > 0
                ? "Of \(NumberText.deliveries(parts)) a log date is missing or not complete, so part of the "
                    + "messages may not be known." : nil,
            figures.isProvisional ? DayTable.provisional : nil,
        ].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: " ")
    }

    // MARK: Its parts

    /// A platform or a delivery.
    private struct Part {
        let name: Markup
        let result: SubjectFigures.Result
        var delivery: DeliveryResult?
    }

    private var platforms: PageSection {
        let parts = figures.platforms.map { Part(name: .data($0), result: figures.result(platform: $0)) }
        return PageSection("platforms", title: "By platform") {
            table("platforms", of: parts, each: "platform", isOfSent: figures.isOfSent)
        }
    }

    /// A table for each way in which it is known how many were sent.
    private var deliveries: PageSection {
        PageSection("deliveries", title: "By delivery") {
            for group in figures.groups {
                let parts = figures.deliveries.filter { $0.group == group }.map { delivery in
                    Part(name: .name(delivery.name), result: figures.result(of: delivery), delivery: delivery)
                }
                let isAlone = figures.groups.count == 1
                if !isAlone { Markup.element("h3") { group.caption } }
                let suffix = isAlone ? "" : ", " + group.caption.prefix(1).lowercased() + group.caption.dropFirst()
                table(
                    "deliveries" + suffix, of: parts, each: "delivery",
                    isOfSent: parts.contains { $0.result.sent != nil }
                ).begun(rows: 20)
            }
        }
    }

    private func table(_ caption: String, of parts: [Part], each name: String, isOfSent: Bool) -> DataTable {
        DataTable(
            caption, of: parts,
            columns: [
                .markup(name) { $0.name },
                .markup("variant", if: parts.contains { $0.delivery?.variant != nil }) {
                    $0.delivery?.variant.map(Markup.name)
                },
                .text("day", if: parts.contains { $0.delivery != nil }) {
                    $0.delivery?.dayText(marked: $0.delivery?.mark)
                },
                .rate("opened of \(isOfSent ? "sent" : "messages")") {
                    isOfSent && $0.result.sent == nil ? nil : $0.result.rate(.opened)
                },
                .count("sent", if: isOfSent) { $0.result.sent },
            ]
                + [FunnelColumn.messages, .failed, .arrived, .impressed, .clicked, .opened].told(in: [figures.sum])
                .map { column in .count(column.name) { $0.result.totals[column] } })
    }

    // MARK: Its days

    private var days: PageSection {
        let last = figures.events.keys.max() ?? 0
        let opens = (0...last).map { figures.events[$0]?["open"] ?? 0 }
        let all = opens.reduce(0, +)
        var sum = 0
        let shares = opens.map { count -> Double? in
            sum += count
            return Proportion(part: sum, whole: all).rate
        }
        let names = Stages.actions.filter { name in figures.events.values.contains { $0[name] != nil } }
        let table = DataTable(
            "days since it began", of: 0...last,
            columns: [.text("day") { "\($0 + 1)" }]
                + names.map { name in .count(name) { figures.events[$0]?[name] ?? 0 } }
                + [.rate("of all opens so far") { shares[$0] }])
        let first = "\(NumberText.wholePercent(shares[0])) of \(Text.plural(all, of: "open")) came on the first day"
        return PageSection("days", title: "The days since it began") {
            if all == 0 {
                Markup.paragraph("Nobody has opened it.")
                table
            } else {
                Figure(
                    id: "days-curve", title: "Share of opens by the number of days since a delivery began",
                    summary: first + ".", note: first + (figures.deliveries.count > 1 ? " of a delivery." : "."),
                    chart: CumulativeCurve(
                        steps: (0...last).map { "\($0 + 1)" },
                        series: [Series(name: "opens", style: .blue, values: shares, hasMarkers: true)]), table: table)
            }
        }
    }

    private var delay: PageSection? {
        let sum = figures.result.totals
        guard sum[.openedSeen] > 0, let period = figures.period else { return nil }
        return PageSection("delay", title: "How soon people opened") {
            DelayCurve(
                id: "delay-curve", now: sum, nowName: "opens", table: figures.table, days: period.days, note: median
            ).figure
        }
    }

    private var median: String {
        let rates = [FunnelColumn.opened1h, .opened24h].map { column in
            figures.median { $0.totals.rate(column, of: .openedSeen) }
        }
        guard let hour = rates[0], let day = rates[1] else { return "" }
        return " The median of the others is \(NumberText.wholePercent(hour)) within an hour and "
            + "\(NumberText.wholePercent(day)) within 24 hours."
    }

    // MARK: In short

    var text: String {
        guard let trust else {
            return ReportText.text(["\(figures.name.shown): not sent yet, or in no log that is loaded."])
        }
        let head = ReportText.head("\(figures.request.title), \(figures.name.shown)", trust: trust)
        let lines = rows.map { row in
            Text.column(row.name, width: 20) + Text.padded(row.count.map(NumberText.rounded) ?? NumberText.none, to: 10)
                + (row.rate.map { Text.padded(NumberText.percent($0), to: 10) } ?? "")
                + (row.median.map { "   median \(NumberText.percent($0))" } ?? "")
        }
        let notes = ReportText.wrapped([note, others].compactMap(\.self).joined(separator: " "))
        return ReportText.text(head + [""] + notes + [""] + lines)
    }
}
