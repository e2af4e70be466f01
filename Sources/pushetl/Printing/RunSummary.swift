import Calendar
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Records

/// The result of a command that loads, for a person who reads it in the morning: a line for each log date, and the log
/// date of a nightly run in full. As JSON, the same facts in the words of push.db.
struct RunSummary: CommandResult {
    /// With more log dates than this, complete log dates without warnings are not listed.
    private static let mostListed = 31

    let report: RunReport
    let request: DateRequest
    let output: OutputFolder
    let paths: ShownPaths
    let isVerbose: Bool

    func encode(to encoder: any Encoder) throws {
        let publication = report.publishing.publication
        // Absent if push.db cannot be read. That error has been reported already.
        let published =
            publication?.logDates ?? (try? OutputDatabase(output, busyTimeout: 1).publishedVersions().keys.sorted())
        try encoder.encode([
            "log_dates": report.loads.dates, "skipped": report.loads.skipped,
            "output": paths.opening(output.databasePath),
            "changed": publication?.isChanged ?? false, "published_log_dates": published,
            "retention": publication?.closing, "seconds": report.seconds, "version": programVersion,
        ])
    }

    /// The log dates that have files.
    private var loaded: [LogDateReport] { report.loads.dates.filter { !$0.hasNoFiles } }

    var text: String {
        let brief = loaded.filter { $0.date != request.always }
        let listed =
            isVerbose || brief.count <= RunSummary.mostListed ? brief : brief.filter { !RunSummary.isPlain($0) }
        var lines: [String] = listed.isEmpty ? [] : dateLines(listed) + [""]
        let left = brief.count - listed.count
        if left > 0 { lines += ["\(Text.plural(left, of: "more log date")), all complete; --verbose lists them", ""] }
        for date in loaded where date.date == request.always { lines += dateLines(inFull: date) + [""] }
        lines += request.always == nil ? totals : (leftAlone + passedOver).map { $0 + "\n" }
        let closing = report.publishing.publication?.closing?.lines ?? []
        if !closing.isEmpty { lines += closing + [""] }
        return (lines + [outcome].compactMap(\.self)).joined(separator: "\n")
    }

    /// What became of push.db; nil if an error tells.
    private var outcome: String? {
        guard report.publishing.failure == nil else { return nil }
        let path = paths(output.databasePath)
        let took = "\(Text.duration(report.seconds)) in all"
        guard let publication = report.publishing.publication else {
            guard report.loads.hasInput else { return nil }
            let isThere = FileManager.default.fileExists(atPath: output.databasePath)
            return "\(path) \(isThere ? "was up to date" : "does not exist yet"), \(took)"
        }
        let state = publication.isChanged ? "published" : "unchanged"
        return "\(path): \(state), \(Text.plural(publication.logDates.count, of: "log date")), \(took)"
    }

    /// Whether the log date is simply complete, so that its line can be left out.
    private static func isPlain(_ date: LogDateReport) -> Bool {
        if case .complete = date.verdict { date.warnings.isEmpty } else { false }
    }

    private func dateLines(_ dates: [LogDateReport]) -> [String] {
        var table = TextTable([.left, .left, .right, .right, .right, .right, .right, .left])
        for date in dates {
            table.add([
                date.date.description, date.word, Text.plural(date.files, of: "file"), Text.bytes(date.bytes),
                Text.plural(date.tally.records, of: "record"),
                date.isLoaded ? Text.plural(date.events, of: "event") : "", Text.duration(date.seconds),
                why(date),
            ])
        }
        return table.lines
    }

    /// Why the log date was loaded, and whether anything has changed.
    private func why(_ date: LogDateReport) -> String {
        var parts: [String] = []
        // That it was missing is the usual reason.
        if let state = date.stateBefore, state.searchFailure == nil, state.partition != .missing || state.held != nil {
            parts.append("was " + state.text.shown(paths))
        }
        if date.isUnchanged { parts.append("nothing new") }
        return parts.joined(separator: "; ")
    }

    /// The totals of a backfill.
    private var totals: [String] {
        var lines: [String] = []
        func row(_ name: String, dates: [LogDate], note: String = "") {
            lines += Text.row(name, dates: dates, note: note)
        }
        func dates(_ isMeant: (LogDateState) -> Bool) -> [LogDate] {
            report.loads.skipped.filter { $0.phase == .open && isMeant($0) }.map(\.date)
        }
        if loaded.isEmpty && report.loads.hasInput { lines.append("nothing to load") }
        row("loaded", dates: loaded.filter(\.isInstalled).map(\.date))
        row("unchanged", dates: loaded.filter(\.isUnchanged).map(\.date), note: "  read again, with the same content")
        let failed = loaded.filter { !$0.isLoaded }.map(\.date)
        row("not loaded", dates: failed, note: "  " + Text.ranges(failed))
        row(
            "up to date",
            dates: dates { $0.files > 0 && $0.partition == .complete && $0.reasons.isEmpty && $0.held == nil })
        lines += leftAlone
        let others = dates {
            $0.files > 0 && !$0.isShrunk && !$0.isHeldUnchanged && !$0.isAccepted
                && ($0.partition != .complete || $0.isStale)
        }
        let accepted = dates { $0.files > 0 && $0.isAccepted && $0.reasons.isEmpty && $0.held == nil }
        row("accepted", dates: accepted, note: "  " + Text.ranges(accepted) + "; as they are")
        row("left", dates: others, note: "  " + Text.ranges(others) + "; --only leaves them out")
        lines += passedOver
        let empty = report.loads.skipped.filter { $0.files == 0 && !$0.isShrunk && $0.partition == .missing }.map(
            \.date)
        row("no files", dates: empty, note: "  " + Text.ranges(empty))
        if !loaded.isEmpty {
            let sums = [
                Text.bytes(loaded.reduce(0) { $0 + $1.bytes }),
                Text.plural(loaded.reduce(0) { $0 + $1.tally.records }, of: "record"),
                Text.plural(loaded.reduce(0) { $0 + $1.events }, of: "event"),
            ]
            lines.append("  " + Text.column("in them", width: 12) + sums.joined(separator: ", "))
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    /// Log dates that were left alone: files are not found, or the last load was held back and nothing has changed
    /// since.
    private var leftAlone: [String] {
        let shrunk = report.loads.skipped.filter { $0.isShrunk && $0.phase == .open }.map(\.date)
        let held = report.loads.heldBack.filter { !$0.isShrunk }.map(\.date)
        return Text.row(
            "shrunk", dates: shrunk,
            note: "  " + Text.ranges(shrunk)
                + "; the pipeline does not find all of their files, so they stay as they are")
            + Text.row(
                "held back", dates: held, note: "  " + Text.ranges(held) + "; not read again, since nothing has changed"
            )
    }

    /// Log dates that were not loaded because they are closed.
    private var passedOver: [String] {
        let closed = report.loads.closed.map(\.date)
        return Text.row("closed", dates: closed, note: "  " + Text.ranges(closed) + "; loaded no more")
    }

    private func dateLines(inFull date: LogDateReport) -> [String] {
        let rate = date.seconds > 0 ? Int(Double(date.tally.records) / date.seconds) : 0
        let result = date.word + (date.isUnchanged ? ", nothing new" : "")
        var lines = [
            "\(date.date)  \(result)  \(Text.plural(date.files, of: "file")), \(Text.bytes(date.bytes)), "
                + "\(Text.duration(date.seconds)), \(Text.number(rate)) records/s"
        ]
        let tally = date.tally
        guard tally.records > 0 || date.isLoaded else { return lines }
        let width = Text.number(tally.records).count
        func row(_ name: String, count: Int, note: String = "") {
            let figure = "  " + Text.column(name, width: 12) + Text.padded(Text.number(count), to: width)
            lines.append(note.isEmpty ? figure : figure + "  " + note)
        }
        row("records", count: tally.records)
        if date.isLoaded {
            row("events", count: date.events)
            row("duplicates", count: date.duplicates)
        } else {
            row("accepted", count: tally.accepted)
        }
        if tally.clockFallback > 0 {
            row(
                "clock", count: tally.clockFallback,
                note: "accepted with another time, since the device's clock was wrong")
        }
        row("filtered", count: tally.filtered)
        for count in tally.counts where count.outcome == .filtered { row("", count: count.records, note: count.reason) }
        row("rejected", count: tally.rejected)
        for count in tally.counts where count.outcome == .rejected {
            let location = count.first.map { location in
                ", first at \(paths(location.path)):\(location.line)"
                    + (location.detail.isEmpty ? "" : ": \(location.detail.shown)")
            }
            row("", count: count.records, note: count.reason + (location ?? ""))
        }
        if let first = date.days.first, let last = date.days.last {
            let span = first == last ? "\(first)" : "\(first) to \(last)"
            lines.append("  days        " + Text.padded(Text.number(date.days.count), to: width) + "  \(span)")
        }
        return lines
    }
}

extension Text {
    /// A name, and a number of log dates; nothing if there are none.
    fileprivate static func row(_ name: String, dates: [LogDate], note: String) -> [String] {
        dates.isEmpty ? [] : [row(name, count: dates.count, note: note)]
    }

    fileprivate static func row(_ name: String, count: Int, note: String) -> String {
        "  " + column(name, width: 12) + padded(number(count), to: 6) + note
    }
}

extension ClosingResult {
    /// A line for each action on old log dates.
    var lines: [String] {
        func row(_ name: String, dates: [LogDate]) -> [String] {
            Text.row(name, dates: dates, note: "  " + Text.ranges(dates))
        }
        let end = through.map { "  through \($0); loaded no more" }
        let closing = closed > 0 ? end.map { [Text.row("closed", count: closed, note: $0)] } ?? [] : []
        return closing + row("settled", dates: settled) + row("ids erased", dates: erased)
    }
}

extension LogDateReport {
    fileprivate var word: String {
        switch verdict {
        case .complete: "complete"
        case .partial: isAccepted ? "partial, accepted" : "partial"
        case .heldBack: "held back"
        case .failed: "failed"
        case .noFiles: "no files"
        }
    }
}
