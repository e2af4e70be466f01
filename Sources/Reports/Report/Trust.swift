import Calendar
import Messages
import Output

/// Whether the figures of some days can be trusted: in one line for everybody, and with the reasons for the operator.
struct Trust {
    /// The most reasons in the line, and the most lines for the operator. The table of log dates has all.
    static let reasons = 3
    private static let lines = 20

    let table: DayTable
    let days: [LogDate]
    /// The log dates of these days.
    private let dates: [LogDate]
    /// Whether the page stands by itself. A page of an archive says nothing about other days.
    let isAlone: Bool

    init(of figures: ReportFigures) {
        self.init(in: figures.table, days: figures.period.days, isAlone: figures.place == nil)
    }

    init(in table: DayTable, days: [LogDate], isAlone: Bool) {
        assert(!days.isEmpty)
        self.table = table
        self.days = days
        dates = Set(days.map(table.logDate)).sorted()
        self.isAlone = isAlone
    }

    /// Whether nothing needs attention.
    var isSound: Bool {
        needing.isEmpty && findings.isEmpty && !table.loaded.isEmpty && table.cutFilesOfOneLoad.isEmpty
    }

    /// The log dates that need attention. If the days reach to the last log date, also held-back log dates after them.
    private var needing: [LogDate] { dates.filter { table.state($0).needsLook } + heldAfterwards }

    private var endsWithTheLast: Bool { table.lastDay.map { days[days.count - 1] >= $0 } ?? false }

    private var heldAfterwards: [LogDate] {
        guard endsWithTheLast else { return [] }
        return table.logDates.keys.filter { $0 > dates[dates.count - 1] && table.state($0) == .heldBack }.sorted()
    }

    /// The findings of the checks. They are about the present push.db, so a report about earlier days has none.
    private var findings: [String] {
        guard endsWithTheLast else { return [] }
        return (table.checkFindings.map(\.message) + [table.checkFindings.formerMessage]).compactMap { $0?.words }
    }

    // MARK: The line

    var line: String { line(reasons: Trust.reasons) }

    /// - Parameter most: at most so many reasons are given.
    func line(reasons most: Int) -> String {
        if table.isOneLoad {
            return table.cutFilesOfOneLoad.isEmpty
                ? "These are the figures of the given log files alone."
                : "A log file is truncated or damaged; what can be read is counted."
        }
        if table.loaded.isEmpty { return "No log date is loaded yet. The command 'pushetl run' loads one." }
        guard days.contains(where: table.isLoaded) else {
            let loaded = DateText.range(table.loaded[0], to: table.loaded[table.loaded.count - 1])
            return "No log date of these days is loaded." + (isAlone ? " Loaded are log dates of \(loaded)." : "")
        }
        let found = endsWithTheLast ? table.checkFindings.count { $0.rows != 0 } : 0
        let checks = found == 0 ? "" : "; \(Text.plural(found, of: "check")) found something"
        return (needing.isEmpty ? soundParts.joined(separator: "; ") : look(reasons: most)) + checks + "."
    }

    private var soundParts: [String] {
        func count(_ state: LoadState) -> Int { dates.count { table.state($0) == state } }
        let complete = count(.complete)
        let accepted = count(.accepted)
        let outside = count(.outside)
        if complete == dates.count {
            return [complete == 1 ? "The log date is complete" : "All \(complete) log dates are complete"]
        }
        let isOne = complete == 1 || dates.count == 1
        var parts = ["\(complete) of \(Text.plural(dates.count, of: "log date")) \(isOne ? "is" : "are") complete"]
        if accepted > 0 { parts.append("\(accepted) \(accepted == 1 ? "was" : "were") accepted with gaps") }
        if outside > 0 {
            parts.append("\(outside) \(outside == 1 ? "lies" : "lie") outside of those loaded")
        }
        return parts
    }

    /// `2 of 28 log dates need a look: 15 Nov lacks web2/access.log; 20 Nov is held back`
    private func look(reasons most: Int) -> String {
        var reasons: [String] = []
        for (dates, state) in runs {
            let first = dates[0]
            let last = dates[dates.count - 1]
            let name = DateText.short(first) + (first == last ? "" : " – " + DateText.short(last))
            let verb = first == last ? "is" : "are"
            reasons.append("\(name) \(state == .lacking ? lack(first) : "\(verb) \(state.name)")")
        }
        let count = needing.count
        let all = dates.count + heldAfterwards.count
        let more = reasons.count - most
        return "\(count) of \(Text.plural(all, of: "log date")) \(count == 1 ? "needs" : "need") a look: "
            + reasons.prefix(most).joined(separator: "; ") + (more > 0 ? " and \(more) more" : "")
    }

    /// The log dates that need attention, joined into runs of the same state. A log date with missing files or hours
    /// stays by itself.
    private var runs: [(dates: [LogDate], state: LoadState)] {
        needing.reduce(into: []) { runs, date in
            let state = table.state(date)
            if state != .lacking, let last = runs.last, last.state == state,
                last.dates.last?.adding(days: 1) == date
            {
                runs[runs.count - 1].dates.append(date)
            } else {
                runs.append(([date], state))
            }
        }
    }

    /// What is missing, as the load reported it: `lacks web2/access.log and 2 more`.
    private func lack(_ date: LogDate) -> String {
        let warnings = table.warnings(of: date)
        let hours = warnings.codes.contains(LoadWarnings.silentHours)
        return warnings.gaps.first?.shown(.stored) ?? (hours ? "lacks hours" : "lacks files")
    }

    // MARK: For the operator

    /// A line for each log date that needs attention or has warnings. Missing files and hours come first.
    var operatorLines: [String] {
        let warned = dates.filter { !table.warnings(of: $0).isEmpty && !table.state($0).needsLook }
        let lacking = needing.filter { table.state($0) == .lacking }
        var lines = (lacking + needing.filter { table.state($0) != .lacking } + warned).map(reason)
        let more = lines.count - Trust.lines
        if more > 0 {
            lines = lines.prefix(Trust.lines) + ["\(Text.plural(more, of: "more log date")) in the table of log dates."]
        }
        let files = table.cutFilesOfOneLoad.map { "\($0)." }
        return files + lines + findings.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
            + [former].compactMap(\.self)
    }

    private func reason(_ date: LogDate) -> String {
        let warnings = table.warnings(of: date)
        let told = warnings.sentences.isEmpty ? warnings.codes : warnings.sentences.map { $0.shown(.stored) }
        let hold = table.logDates[date]?.hold.map { [$0] } ?? []
        let words = hold.filter { !$0.isEmpty } + told
        let state = table.name(of: date)
        return "\(DateText.long(date)): \(words.isEmpty ? state : words.joined(separator: "; "))."
    }

    private var former: String? {
        let former = dates.filter { table.logDates[$0]?.isOfFormerPipeline == true }
        return former.isEmpty ? nil : "Loaded with another pipeline file than the last: \(DateText.list(former))."
    }

    /// How far the days with figures are grown.
    var maturity: String {
        let withFigures = days.filter { table.days[$0] != nil }
        let final = withFigures.count(where: table.isFinal)
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

    private var legend: String {
        let letters = LoadState.legend(
            of: Set(dates.map(table.state)), withWarnings: dates.contains { table.field($0).letter == "W" })
        var parts = ["One field for each log date."] + (letters.isEmpty ? [] : [letters])
        if days.contains(where: { table.isLoaded($0) && !table.isMature($0) }) {
            parts.append("Pale: fewer than \(DayTable.maturity) later log dates.")
        }
        return parts.joined(separator: " ")
    }

    @Markup.Builder var logDates: Markup {
        if table.loaded.isEmpty {
            Markup.nothing
        } else if days.count <= 92 {
            Figure(
                id: "log-dates-strip", title: "Log dates from \(DateText.range(dates[0], to: dates[dates.count - 1]))",
                summary: line, chart: DateStrip(days: dates, field: table.field), table: dateTable, tableNote: legend)
        } else {
            dateTable.folded(note: legend)
        }
    }

    private var dateTable: DataTable {
        DataTable(
            "log dates", of: days,
            columns: [
                .text("log date") { table.logDate(of: $0).description },
                .text("load") { table.name(of: table.logDate(of: $0)) },
                .count("later log dates") { table.laterLogDates($0) },
                .text("day") { table.nameOfDay($0) },
                .markup("message of the last load") { day in
                    let message = table.logDates[table.logDate(of: day)].flatMap { $0.hold ?? $0.detail }
                    return message.map { Markup.data($0.replacing("\n", with: "; ")) }
                },
            ])
    }
}

extension DayTable {
    /// The name of a log date's state.
    fileprivate func name(of date: LogDate) -> String {
        state(date).name + (state(date) == .heldBack && logDates[date]?.status != nil ? ", former content kept" : "")
    }

    /// The state of a day's figures: `partial`, `not loaded`, `provisional` or `final`.
    func nameOfDay(_ day: LogDate) -> String {
        if !isLoaded(day) { return "not loaded" }
        if !isComplete(day) { return "partial" }
        guard days[day] != nil else { return "no events" }
        return isFinal(day) ? "final" : "provisional"
    }
}
