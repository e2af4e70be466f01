import Calendar
import Messages
import Output

/// Whether the figures can be trusted: which log dates are loaded, and how mature the days are.
struct TrustSection {
    let figures: ReportFigures

    private var table: DayTable { figures.table }
    private var days: [LogDate] { figures.period.days }

    var markup: Markup {
        .section("trust", "Can these figures be trusted?", style: "untitled trust") {
            Markup.element("p", ["class": "lead"]) {
                Markup.element("strong", ["class": isSound ? "pill" : "pill check"]) { isSound ? "Complete" : "Check" }
                " "
                lead
            }
            for line in notes + warned { Markup.paragraph(line) }
            if days.count <= 92, !table.loaded.isEmpty {
                DateStrip(days: days, field: table.field).figure(
                    "log-dates", "Log dates from \(DateText.range(figures.period.first, figures.period.last))",
                    summary: lead, width: 1040, table: dateTable, tableNote: legend)
            } else if !table.loaded.isEmpty {
                dateTable.folded()
            }
        }
    }

    var isSound: Bool {
        days.allSatisfy { table.state($0) == .complete } && heldAfterwards.isEmpty && findings.isEmpty
            && withWarnings.isEmpty
    }

    private var withWarnings: [LogDate] { days.filter { !table.warnings(of: $0).isEmpty } }

    /// The warnings of the loads by log date, the last ones if there are many.
    var warned: [String] {
        let listed = withWarnings.suffix(TrustSection.listedWarnings)
        var texts = listed.map { day in
            let warnings = table.warnings(of: day)
            let texts = warnings.sentences.isEmpty ? warnings.codes : warnings.sentences.map { $0.shown(.stored) }
            return "Warning of \(DateText.long(day)): \(texts.joined(separator: "; "))."
        }
        let more = withWarnings.count - listed.count
        if more > 0 { texts.append("\(Text.plural(more, "earlier log date")) with warnings.") }
        return findings.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." } + texts
    }

    /// What the checks found. They look at push.db as it is now, so a report of former days has none.
    private var findings: [String] {
        guard let last = table.lastDay, figures.period.last >= last else { return [] }
        return (table.checkFindings.map(\.message) + [table.checkFindings.formerMessage]).compactMap { $0?.words }
    }

    /// The most log dates whose warnings are listed.
    private static let listedWarnings = 5

    /// Log dates after the last one, if that ends the period, whose loads were held back or failed.
    private var heldAfterwards: [LogDate] {
        guard let last = table.lastDay, figures.period.last >= last else { return [] }
        return table.logDates.keys.filter { $0 > figures.period.last && table.state($0) == .heldBack }.sorted()
    }

    private func dates(_ state: DayTable.LoadState) -> [LogDate] { days.filter { table.state($0) == state } }

    var lead: String {
        if table.loaded.isEmpty { return "No log date is loaded yet. The command 'pushetl run' loads one." }
        if !figures.hasLogDates {
            let loaded = DateText.range(table.loaded[0], table.loaded[table.loaded.count - 1])
            return "No log date of these days is loaded."
                + (figures.place == nil ? " Loaded are log dates of \(loaded)." : "")
        }
        let complete = dates(.complete).count
        if complete == days.count {
            return complete == 1 ? "The log date is complete." : "All \(complete) log dates are complete."
        }
        let verb = complete == 1 || days.count == 1 ? "is" : "are"
        return "\(complete) of \(Text.plural(days.count, "log date")) \(verb) complete."
    }

    var notes: [String] {
        guard !table.loaded.isEmpty else { return [] }
        var notes: [String] = []
        let held = dates(.heldBack) + heldAfterwards
        let faults: [(dates: [LogDate], text: String)] = [
            (dates(.missing), "Missing"), (dates(.partial), "Loaded in part"),
            (held.filter(table.isLoaded), "Held back, so what was loaded before is kept"),
            (held.filter { !table.isLoaded($0) }, "Held back, and not loaded"),
            (figures.hasLogDates ? dates(.outside) : [], "Before the first log date or after the last"),
        ]
        let found = faults.filter { !$0.dates.isEmpty }
        if !found.isEmpty {
            notes.append(found.map { "\($0.text): \(DateText.list($0.dates))." }.joined(separator: " "))
        }
        let former = days.filter { table.logDates[$0]?.isOfFormerPipeline == true }
        if !former.isEmpty {
            notes.append("Loaded with another pipeline file than the last: \(DateText.list(former)).")
        }
        if figures.hasLogDates { notes.append(maturity) }
        if let comparability { notes.append(comparability) }
        return notes
    }

    /// How far the days with figures are grown.
    private var maturity: String {
        let withFigures = days.filter { table.days[$0] != nil }
        let final = withFigures.filter(table.isFinal).count
        if withFigures.isEmpty { return "No event fell on these days." }
        if final == withFigures.count { return "All days with events are final: late hits no longer change them." }
        let young = withFigures.filter { !table.isMature($0) }
        var text = ""
        if !young.isEmpty {
            text =
                "\(DateText.list(young)) still \(young.count == 1 ? "grows" : "grow"): opens and late hits are coming in. "
        }
        let share =
            final == 0
            ? "No day is final yet: all are" : "\(final) of \(withFigures.count) days are final; the others are"
        return text + "\(share) provisional until a log date more than \(table.windowDays) days later is loaded."
    }

    private var comparability: String? {
        guard let name = figures.comparedName, figures.hasLogDates else { return nil }
        let (comparable, all) = (figures.comparableDays.count, days.count)
        if figures.before == nil || comparable == 0 {
            return "There is nothing to compare with: \(figures.whyNothingIsCompared(name))."
        }
        guard comparable < all else { return nil }
        return "Changes compare \(comparable) of \(all) days: of the others a log date is missing or partial, in this "
            + "period or \(name)."
    }

    private var legend: String {
        var parts = ["One field for each log date."]
        if days.contains(where: { table.field($0).letter == "W" }) { parts.append("W: complete, with warnings.") }
        if !dates(.partial).isEmpty { parts.append("P: partial.") }
        if !dates(.heldBack).isEmpty { parts.append("H: held back.") }
        if !dates(.missing).isEmpty { parts.append("M: missing.") }
        if days.contains(where: { table.isLoaded($0) && !table.isMature($0) }) {
            parts.append("Pale: fewer than \(DayTable.maturity) later log dates.")
        }
        return parts.joined(separator: " ")
    }

    private var dateTable: DataTable {
        DataTable(
            "log dates", of: days,
            [
                .text("log date") { $0.description },
                .text("load") { name(table.state($0), isLoaded: table.isLoaded($0)) },
                .count("later log dates") { table.laterLogDates($0) },
                .text("day") { figures.state($0) },
                .markup("message of the last load") { day in
                    let message = table.logDates[day].flatMap { $0.hold ?? $0.detail }
                    return message.map { Markup.data($0.replacing("\n", with: "; ")) } ?? .nothing
                },
            ])
    }

    private func name(_ state: DayTable.LoadState, isLoaded: Bool) -> String {
        switch state {
        case .complete: "complete"
        case .partial: "partial"
        case .missing: "missing"
        case .outside: "not loaded"
        case .heldBack: isLoaded ? "held back, former content kept" : "held back"
        }
    }
}
