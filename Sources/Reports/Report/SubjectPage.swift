import Calendar
import Counting
import Messages

/// The page of a campaign or of a delivery: what became of it, beside the median of the others.
struct SubjectPage {
    let figures: SubjectFigures

    private var base: String { figures.isOfSent ? "sent" : "messages" }
    private var trust: Trust? {
        figures.period.map { Trust(table: figures.table, days: $0.days, isAlone: figures.request.place == nil) }
    }

    var html: String {
        ReportPage.html(title: "\(figures.request.title), \(figures.name.shown)") {
            header
            Markup.element("main") {
                if let trust {
                    ReportPage.trust(trust)
                    becameSection
                    platformSection
                    if figures.subject.isCampaign { deliverySection }
                    daySection
                    delaySection
                    if figures.deliveries.contains(where: { $0.variant != nil }), figures.subject.isCampaign {
                        VariantSection(figures.deliveries).markup
                    }
                    DefinitionSection(table: figures.table).markup
                    OperatorSections(trust: trust).markup
                } else {
                    Markup.paragraph("It was not sent yet, or no log date with its messages is loaded.")
                }
            }
        }
    }

    private var header: Markup {
        .header(
            over: figures.request.title, in: figures.request.place, more: ", \(figures.subject.kind)",
            title: Markup.data(figures.name), under: under)
    }

    private var under: String {
        let count = Text.plural(figures.deliveries.count, of: "delivery", irregular: "deliveries")
        let days = figures.period.map { ", \(DateText.range($0.first, $0.last))" } ?? ""
        return "\(count)\(days), each with at most \(SubjectFigures.mostDays) days from its first one on. \(others) "
            + "Days are those of \(figures.table.timeZone)."
    }

    /// What the medians are of.
    private var others: String {
        let name = figures.subject.isCampaign ? "campaign" : "delivery"
        let names = figures.subject.isCampaign ? "campaigns" : "deliveries"
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
        let columns: [(name: String, column: FunnelColumn)] = [
            ("failed", .failed), ("arrived", .arrived), ("impressed", .impressed), ("clicked", .clicked),
            ("opened", .opened), ("dismissed", .dismissed),
        ]
        let rare: Set<FunnelColumn> = [.failed, .arrived]
        let stages = columns.filter { !rare.contains($0.column) || result.totals[$0.column] > 0 }.map { name, column in
            Row(name, result.totals[column], result.rate(column), figures.median { $0.rate(column) })
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

    private var becameSection: Markup {
        let (rows, shown) = (rows, ["sent", "messages", "failed", "arrived", "opened"])
        return .section("headline", "In short", style: "untitled") {
            Markup.cards(
                rows.filter { shown.contains($0.name) }.map { row in
                    (
                        row.name.prefix(1).uppercased() + row.name.dropFirst(), row.count.map(NumberText.rounded), nil,
                        nil
                    )
                }
                    + rows.filter { $0.name == "opened" }.map { row in
                        let median = row.median.map { Markup(text: "median \(NumberText.percent($0))") }
                        return ("Opened of \(base)", NumberText.percent(row.rate), nil, median)
                    })
            if let note { Markup.paragraph(note, style: "note") }
            DataTable(
                "what became of it", of: rows,
                [
                    .text("figure") { $0.name },
                    .count("number") { $0.count },
                    .number("share") { row in
                        let whole = row.name.hasPrefix("opened within") ? "of opens" : "of \(base)"
                        return row.rate.map { "\(NumberText.percent($0)) \(whole)" } ?? NumberText.none
                    },
                    .rate("median of the others", if: figures.median { $0.rate(.opened) } != nil) { $0.median },
                ]
            ).markup
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
                ? "\(Text.plural(failed, of: "delivery", irregular: "deliveries")) failed: hardly any of what was sent became known."
                : nil,
            parts > 0
                ? "Of \(Text.plural(parts, of: "delivery", irregular: "deliveries")) a log date is missing or not complete, so part of the "
                    + "messages may not be known." : nil,
            figures.isProvisional ? "Provisional: late hits can still add to these figures." : nil,
        ].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: " ")
    }

    // MARK: Its parts

    private var platformSection: Markup {
        .section("platforms", "By platform") {
            DataTable(
                "platforms", of: figures.platforms,
                columns("platform", Markup.data, isOfSent: figures.isOfSent, figures.result(platform:))
            ).markup
        }
    }

    /// A table for each way in which it is known how many were sent.
    private var deliverySection: Markup {
        .section("deliveries", "By delivery") {
            for group in figures.groups {
                table(figures.deliveries.filter { $0.group == group }, figures.groups.count > 1 ? group.caption : nil)
            }
        }
    }

    private func table(_ deliveries: [DeliveryResult], _ heading: String?) -> Markup {
        let all = columns(
            "delivery", { (delivery: DeliveryResult) in Markup.name(delivery.name) },
            isOfSent: deliveries.contains { $0.sent != nil }, figures.result(of:))
        let own: [DataTable.Column<DeliveryResult>] = [
            .markup("variant", if: deliveries.contains { $0.variant != nil }) { delivery in
                delivery.variant.map(Markup.name) ?? .nothing
            },
            .text("day") { delivery in
                let mark = delivery.isFailed ? "‡" : delivery.isWithCompleteLogs ? "" : "*"
                return delivery.day.map { DateText.long($0) + mark } ?? ""
            },
        ]
        var markup = heading.map { heading in Markup.element("h3") { heading } } ?? .nothing
        markup.append(
            DataTable(
                "deliveries" + (heading.map { ", \($0.prefix(1).lowercased() + $0.dropFirst())" } ?? ""),
                of: deliveries, [all[0]] + own + all.dropFirst()
            ).begun(rows: 20))
        return markup
    }

    private func columns<Row>(
        _ heading: String, _ name: @escaping (Row) -> Markup, isOfSent: Bool,
        _ result: @escaping (Row) -> SubjectFigures.Result
    ) -> [DataTable.Column<Row>] {
        let sum = figures.sum
        return [
            .markup(heading, name),
            .rate("opened of \(isOfSent ? "sent" : "messages")") { row in
                let result = result(row)
                return isOfSent && result.sent == nil ? nil : result.rate(.opened)
            },
            .count("sent", if: isOfSent) { result($0).sent },
            .count("messages") { result($0).totals[.messages] },
            .count("failed", if: sum[.failed] > 0) { result($0).totals[.failed] },
            .count("arrived", if: sum[.arrived] > 0) { result($0).totals[.arrived] },
            .count("impressed") { result($0).totals[.impressed] },
            .count("clicked") { result($0).totals[.clicked] },
            .count("opened") { result($0).totals[.opened] },
        ]
    }

    // MARK: Its days

    private var daySection: Markup {
        let last = figures.events.keys.max() ?? 0
        let opens = (0...last).map { figures.events[$0]?["open"] ?? 0 }
        let all = opens.reduce(0, +)
        var sum = 0
        let shares = opens.map { count -> Double? in
            sum += count
            return Proportion(part: sum, whole: all).rate
        }
        let usual = ["sent", "failed", "arrival", "impression", "click", "open"]
        let names = usual.filter { name in figures.events.values.contains { $0[name] != nil } }
        let table = DataTable(
            "days since it began", of: 0...last,
            [.text("day") { "\($0 + 1)" }] + names.map { name in .count(name) { figures.events[$0]?[name] ?? 0 } }
                + [.rate("of all opens so far") { shares[$0] }])
        let first = "\(NumberText.wholePercent(shares[0])) of \(Text.plural(all, of: "open")) came on the first day"
        return .section("days", "The days since it began") {
            if all == 0 {
                Markup.paragraph("Nobody has opened it.")
                table.markup
            } else {
                CumulativeCurve(
                    steps: (0...last).map { "\($0 + 1)" },
                    series: [Series(name: "opens", style: .blue, values: shares, hasMarkers: true)]
                ).figure(
                    "days-curve", "Share of opens by the number of days since a delivery began", summary: first + ".",
                    width: 1040, note: first + (figures.deliveries.count > 1 ? " of a delivery." : "."), table: table)
            }
        }
    }

    @Markup.Builder private var delaySection: Markup {
        let sum = figures.result.totals
        if sum[.openedSeen] > 0, let period = figures.period {
            Markup.section("delay", "How soon people opened") {
                DelayCurve(
                    id: "delay-curve", suffix: "", now: sum, nowName: "opens", before: nil, table: figures.table,
                    days: period.days,
                    note: median
                ).figure
            }
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
        let head = ReportText.head("\(figures.request.title), \(figures.name.shown)", trust)
        let lines = rows.map { row in
            Text.column(row.name, width: 20) + Text.padded(row.count.map(NumberText.rounded) ?? NumberText.none, to: 10)
                + (row.rate.map { Text.padded(NumberText.percent($0), to: 10) } ?? "")
                + (row.median.map { "   median \(NumberText.percent($0))" } ?? "")
        }
        let notes = ReportText.wrapped([note, others].compactMap(\.self).joined(separator: " "))
        return ReportText.text(head + [""] + notes + [""] + lines)
    }
}
