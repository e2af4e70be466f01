import LogFiles
import Pipelines

extension WarehouseStatus {
    /// Log dates that are listed with their reasons, a line for those that follow one another and have the same.
    private static let listedReasons = 10

    /// A line a month, a letter a day, and what they stand for.
    var text: String {
        guard states.contains(where: { $0.standing != .missing }) else {
            let waiting = states.filter { $0.files > 0 }.map(\.date)
            return "\(output): nothing is loaded yet"
                + (waiting.isEmpty ? "" : "; there are files of \(Text.ranges(waiting))")
        }
        let why = reasons("stale", \.isStale) + reasons("shrunk", \.isShrunk)
        return ([output, ""] + calendar + [""] + counts + why + figures).joined(separator: "\n")
    }

    private var calendar: [String] {
        var lines = ["           1        10        20        30"]
        var month: (year: Int, month: Int)?
        for state in states {
            let date = state.date
            if month?.year != date.year || month?.month != date.month {
                month = (date.year, date.month)
                lines.append("  \(date.description.prefix(7))  ")
            }
            let width = 10 + date.day
            let line = Text.column(lines[lines.count - 1], width)
            lines[lines.count - 1] = line + String(state.letter)
        }
        let legend = "  C complete  P partial  S stale  X shrunk  D damaged  M missing, has files  . missing"
        return lines + ["", legend]
    }

    private var counts: [String] {
        var lines: [String] = []
        func row(_ name: String, _ isMeant: (LogDateState) -> Bool, list: Bool = true) {
            let dates = states.filter(isMeant).map(\.date)
            guard !dates.isEmpty else { return }
            lines.append(
                "  " + Text.column(name, 12) + Text.number(dates.count) + (list ? "  " + Text.ranges(dates) : ""))
        }
        let loaded = states.filter { $0.standing != .missing }.map(\.date)
        if let first = loaded.first, let last = loaded.last { lines.append("  log dates   \(first) to \(last)") }
        row("complete", { $0.standing == .complete }, list: false)
        row("partial", { $0.standing == .partial })
        row("damaged", { $0.standing == .damaged })
        row("missing", { $0.standing == .missing })
        row("  has files", { $0.standing == .missing && $0.files > 0 })
        row("uncompared", { $0.uncomparedFiles > 0 })
        return lines
    }

    /// Why log dates are stale or shrunk.
    private func reasons(_ name: String, _ isMeant: (LogDateState) -> Bool) -> [String] {
        let meant = states.filter(isMeant)
        guard !meant.isEmpty else { return [] }
        var groups: [(dates: [LogDate], reasons: String)] = []
        for state in meant {
            let text = Sentence.reasons(of: state)
            if let last = groups.last, last.reasons == text, last.dates.last?.adding(days: 1) == state.date {
                groups[groups.count - 1].dates.append(state.date)
            } else {
                groups.append(([state.date], text))
            }
        }
        var lines = ["  " + Text.column(name, 12) + Text.number(meant.count)]
        for group in groups.prefix(WarehouseStatus.listedReasons) {
            lines.append("    \(Text.ranges(group.dates))  \(group.reasons)")
        }
        let more = groups.dropFirst(WarehouseStatus.listedReasons).reduce(0) { $0 + $1.dates.count }
        if more > 0 { lines.append("    and \(Text.plural(more, "log date")) more; --json lists all") }
        return lines
    }

    private var figures: [String] {
        var lines = ["  days        \(Text.number(days)), \(Text.plural(events, "event"))"]
        lines.append("  final       " + (finalThrough.map { "through \($0)" } ?? "no day yet"))
        if !unpublished.isEmpty {
            let dates = unpublished.compactMap { LogDate($0) }
            lines.append("  unpublished " + Text.ranges(dates) + " (the next run publishes them)")
        }
        return lines
    }
}

extension LogDateState {
    fileprivate var letter: Character {
        switch standing {
        case .damaged: "D"
        case .missing: files > 0 ? "M" : "."
        case .partial, .complete: isShrunk ? "X" : isStale ? "S" : standing == .partial ? "P" : "C"
        }
    }
}
