import LogFiles
import Pipelines
import Records
import Warehouse

/// The summary of a run, for a person at 7 a.m.
struct RunTable {
    private var lines: [String] = []

    init(_ report: RunReport, pipeline: Pipeline, output: OutputFolder) {
        for date in report.dates where !date.hasNoFiles { add(date) }
        guard let publication = report.publication else {
            if report.publishingFailure == nil && report.dates.contains(where: { !$0.hasNoFiles }) {
                lines.append("\(output.databasePath) was up to date, \(Text.duration(report.seconds)) in all")
            }
            return
        }
        let state = publication.changed ? "published" : "unchanged"
        lines.append(
            "\(output.databasePath): \(state), \(Text.plural(publication.logDates.count, "log date")), "
                + "\(Text.duration(report.seconds)) in all")
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func add(_ date: LogDateReport) {
        let rate = date.seconds > 0 ? Int(Double(date.tally.records) / date.seconds) : 0
        lines.append(
            "\(date.date)  \(date.verdict.word)  \(Text.plural(date.files, "file")), \(Text.bytes(date.bytes)), "
                + "\(Text.duration(date.seconds)), \(Text.number(rate)) records/s")
        let tally = date.tally
        let width = Text.number(tally.records).count
        func row(_ name: String, _ count: Int, _ note: String = "") {
            let figure = "  " + Text.column(name, 12) + Text.padded(Text.number(count), width)
            lines.append(note.isEmpty ? figure : figure + "  " + note)
        }
        row("records", tally.records)
        if date.isInstalled {
            row("events", date.events)
            row("duplicates", date.duplicates)
        } else {
            row("accepted", tally.accepted)
        }
        if tally.clockFallback > 0 {
            row("clock", tally.clockFallback, "accepted by another time than their device's, whose clock was wrong")
        }
        row("filtered", tally.filtered)
        for reason in FilterReason.allCases where tally.count(reason) > 0 {
            row("", tally.count(reason), reason.code)
        }
        row("rejected", tally.rejected)
        for reason in RejectReason.allCases where tally.count(reason) > 0 {
            let place = tally.firstPlace(reason).map { ", first at \($0.path):\($0.line)" } ?? ""
            row("", tally.count(reason), reason.code + place)
        }
        if let first = date.days.first, let last = date.days.last {
            let span = first == last ? dateText(first) : "\(dateText(first)) to \(dateText(last))"
            lines.append("  days        " + Text.padded(Text.number(date.days.count), width) + "  \(span)")
        }
        lines.append("")
    }

    private func dateText(_ day: Int32) -> String { LogDate(dayNumber: Int(day)).description }
}

extension LogDateReport.Verdict {
    /// One word for tables and JSON.
    var word: String {
        switch self {
        case .complete: "complete"
        case .partial: "partial"
        case .completeOneKept: "kept"
        case .tooManyRejects, .damagedFiles: "held_back"
        case .noFiles: "no_files"
        case .failed: "failed"
        }
    }
}
