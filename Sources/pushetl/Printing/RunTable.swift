import Calendar
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Records

/// The summary of a run or a backfill, for a person at 7 a.m.: a line a log date, the one of a nightly run in full.
struct RunTable {
    /// If there are more log dates than this, only those that are not simply complete are listed.
    private static let mostListed = 31

    private let paths: ShownPaths
    private var lines: [String] = []

    init(
        _ report: RunReport, request: DateRequest, output: OutputFolder, _ paths: ShownPaths, isVerbose: Bool
    ) {
        self.paths = paths
        let loaded = report.dates.filter { !$0.hasNoFiles }
        let brief = loaded.filter { $0.date != request.always }
        let listed = isVerbose || brief.count <= RunTable.mostListed ? brief : brief.filter { !RunTable.isPlain($0) }
        if !listed.isEmpty { lines += dateLines(listed) + [""] }
        let left = brief.count - listed.count
        if left > 0 { lines += ["\(Text.plural(left, "more log date")), all complete; --verbose lists them", ""] }
        for date in loaded where date.date == request.always { lines += dateLines(inFull: date) + [""] }
        lines += request.always == nil ? totals(report) : (leftAlone(report) + passedOver(report)).map { $0 + "\n" }
        if let closing = report.publication?.closing {
            let done = closing.lines
            lines += done.isEmpty ? [] : done + [""]
        }
        guard report.publishingFailure == nil else { return }
        let took = "\(Text.duration(report.seconds)) in all"
        guard let publication = report.publication else {
            guard report.hasInput else { return }
            let isThere = FileManager.default.fileExists(atPath: output.databasePath)
            lines.append(
                "\(paths(output.databasePath)) \(isThere ? "was up to date" : "does not exist yet"), \(took)")
            return
        }
        let state = publication.changed ? "published" : "unchanged"
        lines.append(
            "\(paths(output.databasePath)): \(state), \(Text.plural(publication.logDates.count, "log date")), \(took)"
        )
    }

    var text: String { lines.joined(separator: "\n") }

    /// Whether the log date is simply complete, so that its line can be left out.
    private static func isPlain(_ date: LogDateReport) -> Bool {
        if case .complete = date.verdict { date.warnings.isEmpty } else { false }
    }

    private func dateLines(_ dates: [LogDateReport]) -> [String] {
        var columns = Columns([.left, .left, .right, .right, .right, .right, .right, .left])
        for date in dates {
            columns.add([
                date.date.description, date.verdict.word, Text.plural(date.files, "file"), Text.bytes(date.bytes),
                Text.plural(date.tally.records, "record"),
                date.isLoaded ? Text.plural(date.events, "event") : "", Text.duration(date.seconds),
                why(date),
            ])
        }
        return columns.lines
    }

    /// Why it was loaded, and whether anything changed.
    private func why(_ date: LogDateReport) -> String {
        var parts: [String] = []
        if let state = date.stateBefore, state.searchFailure == nil { parts.append("was " + state.text.shown(paths)) }
        if date.isUnchanged { parts.append("nothing new") }
        return parts.joined(separator: "; ")
    }

    /// The totals of a backfill.
    private func totals(_ report: RunReport) -> [String] {
        let loaded = report.dates.filter { !$0.hasNoFiles }
        var lines: [String] = []
        func row(_ name: String, _ dates: [LogDate], _ note: String = "") {
            lines += RunTable.row(name, dates, note)
        }
        func dates(_ isMeant: (LogDateState) -> Bool) -> [LogDate] {
            report.skipped.filter { $0.phase == .open && isMeant($0) }.map(\.date)
        }
        if loaded.isEmpty && report.hasInput { lines.append("nothing to load") }
        row("loaded", loaded.filter { $0.isLoaded && !$0.isUnchanged }.map(\.date))
        row("unchanged", loaded.filter(\.isUnchanged).map(\.date), "  read again, with the same content")
        let failed = loaded.filter { !$0.isLoaded }.map(\.date)
        row("not loaded", failed, "  " + Text.ranges(failed))
        row("up to date", dates { $0.files > 0 && $0.partition == .complete && $0.reasons.isEmpty && $0.held == nil })
        lines += leftAlone(report)
        let others = dates {
            $0.files > 0 && !$0.isShrunk && !$0.isHeldUnchanged && ($0.partition != .complete || $0.isStale)
        }
        row("left", others, "  " + Text.ranges(others) + "; --only leaves them out")
        lines += passedOver(report)
        let empty = report.skipped.filter { $0.files == 0 && !$0.isShrunk && $0.partition == .missing }.map(\.date)
        row("no files", empty, "  " + Text.ranges(empty))
        if !loaded.isEmpty {
            let sums = [
                Text.bytes(loaded.reduce(0) { $0 + $1.bytes }),
                Text.plural(loaded.reduce(0) { $0 + $1.tally.records }, "record"),
                Text.plural(loaded.reduce(0) { $0 + ($1.isLoaded ? $1.events : 0) }, "event"),
            ]
            lines.append("  " + Text.column("in them", 12) + sums.joined(separator: ", "))
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    /// Log dates that were left alone: files are gone, or the last load was held back and nothing has changed since.
    private func leftAlone(_ report: RunReport) -> [String] {
        let shrunk = report.skipped.filter { $0.isShrunk && $0.phase == .open }.map(\.date)
        let held = report.heldBack.map(\.date)
        return RunTable.row(
            "shrunk", shrunk, "  " + Text.ranges(shrunk) + "; some of their files are gone, so they stay as they are")
            + RunTable.row(
                "held back", held, "  " + Text.ranges(held) + "; not read again, since nothing has changed")
    }

    /// Log dates that were passed over since they are closed.
    private func passedOver(_ report: RunReport) -> [String] {
        let closed = report.closed.map(\.date)
        return RunTable.row("closed", closed, "  " + Text.ranges(closed) + "; loaded no more")
    }

    private static func row(_ name: String, _ dates: [LogDate], _ note: String) -> [String] {
        dates.isEmpty ? [] : ["  " + Text.column(name, 12) + Text.padded(Text.number(dates.count), 6) + note]
    }

    private func dateLines(inFull date: LogDateReport) -> [String] {
        let rate = date.seconds > 0 ? Int(Double(date.tally.records) / date.seconds) : 0
        let result = date.verdict.word + (date.isUnchanged ? ", nothing new" : "")
        var lines = [
            "\(date.date)  \(result)  \(Text.plural(date.files, "file")), \(Text.bytes(date.bytes)), "
                + "\(Text.duration(date.seconds)), \(Text.number(rate)) records/s"
        ]
        let tally = date.tally
        guard tally.records > 0 || date.isLoaded else { return lines }
        let width = Text.number(tally.records).count
        func row(_ name: String, _ count: Int, _ note: String = "") {
            let figure = "  " + Text.column(name, 12) + Text.padded(Text.number(count), width)
            lines.append(note.isEmpty ? figure : figure + "  " + note)
        }
        row("records", tally.records)
        if date.isLoaded {
            row("events", date.events)
            row("duplicates", date.duplicates)
        } else {
            row("accepted", tally.accepted)
        }
        if tally.clockFallback > 0 {
            row("clock", tally.clockFallback, "accepted with another time, since the device's clock was wrong")
        }
        row("filtered", tally.filtered)
        for count in tally.counts where count.outcome == .filtered { row("", count.records, count.reason) }
        row("rejected", tally.rejected)
        for count in tally.counts where count.outcome == .rejected {
            let location = count.first.map { location in
                ", first at \(paths(location.path)):\(location.line)"
                    + (location.detail.isEmpty ? "" : ": \(location.detail.shown)")
            }
            row("", count.records, count.reason + (location ?? ""))
        }
        if let first = date.days.first, let last = date.days.last {
            let (firstDate, lastDate) = (LogDate(dayNumber: Int(first)), LogDate(dayNumber: Int(last)))
            let span = first == last ? "\(firstDate)" : "\(firstDate) to \(lastDate)"
            lines.append("  days        " + Text.padded(Text.number(date.days.count), width) + "  \(span)")
        }
        return lines
    }
}

extension ClosingResult {
    /// A line for each thing that was done.
    var lines: [String] {
        func row(_ name: String, _ dates: [Int32]) -> [String] {
            let ranges = Text.ranges(dates.map { LogDate(dayNumber: Int($0)) })
            return dates.isEmpty
                ? [] : ["  " + Text.column(name, 12) + Text.padded(Text.number(dates.count), 6) + "  " + ranges]
        }
        let closed =
            through.map {
                [
                    "  " + Text.column("closed", 12) + Text.padded(Text.number(self.closed), 6)
                        + "  through \(CalendarText.date(ofDay: $0)); loaded no more"
                ]
            } ?? []
        return (self.closed > 0 ? closed : []) + row("settled", settled) + row("ids erased", erased)
    }
}
