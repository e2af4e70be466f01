import Calendar
import Foundation
import Messages
import Pipelines
import Records

/// What the first records of some files become.
struct PreviewListing: CommandResult {
    struct File: Encodable {
        let path: String
        let source: String
        let format: String
        let layout: String
        let logDate: String
        let logDateFrom: String
        /// Whether the whole file was read, and not its beginning only.
        let isWhole: Bool
        let status: String
        let lines: Int
        let records: Int
        let accepted: Int
        let filtered: Int
        let rejected: Int
        let outcomes: [Count]
        let rows: [Row]
    }

    struct Count: Encodable {
        let outcome: String
        let reason: String
        let records: Int

        init(_ count: FileTally.Count) {
            (outcome, reason, records) = (count.outcome.rawValue, count.reason, count.records)
        }
    }

    struct Row: Encodable {
        let line: Int
        let outcome: String
        let reason: String
        var detail: String?
        var time: String?
        var clockFallback: Bool?
        var broadlogId: String?
        var deliveryId: String?
        var action: String?
        var platform: String?
    }

    private(set) var files: [File] = []
    private var texts: [String] = []
    /// Of the sources, in their order, the counts of all their files.
    private var tallies: [(source: String, tally: FileTally)] = []
    private let limit: Int
    private let zone: ZoneRules
    /// Whether each file gets its own counts.
    private let isVerbose: Bool

    private enum CodingKeys: CodingKey {
        case files
    }

    init(limit: Int, zone: ZoneRules, isVerbose: Bool) {
        self.limit = limit
        self.zone = zone
        self.isVerbose = isVerbose
    }

    var text: String {
        guard !isVerbose, !files.isEmpty else { return texts.joined(separator: "\n\n") }
        return (texts + [total]).joined(separator: "\n\n")
    }

    mutating func add(_ preview: Preview, name: String) {
        let rows = preview.records.map { row($0) }
        let file = File(
            path: name, source: preview.source.name, format: preview.source.format.rawValue,
            layout: preview.source.layout.name, logDate: preview.date.description,
            logDateFrom: preview.dateOrigin.rawValue, isWhole: preview.isWhole, status: preview.status.rawValue,
            lines: preview.lines, records: preview.tally.records, accepted: preview.tally.accepted,
            filtered: preview.tally.filtered, rejected: preview.tally.rejected,
            outcomes: preview.tally.counts.map(Count.init).sorted { $0.records > $1.records },
            rows: Array(rows.prefix(limit)))
        files.append(file)
        if let index = tallies.firstIndex(where: { $0.source == file.source }) {
            tallies[index].tally += preview.tally
        } else {
            tallies.append((file.source, preview.tally))
        }
        texts.append(text(of: file, rows, preview))
    }

    private func row(_ record: PreviewRecord) -> Row {
        switch record.outcome {
        case .accepted(let hit):
            Row(
                line: record.line, outcome: "accepted", reason: "",
                time: CalendarText.dateTime(ofMilliseconds: hit.time, in: zone),
                clockFallback: hit.clockFallback, broadlogId: hit.id.description, deliveryId: hit.delivery,
                action: hit.action, platform: hit.platform.name)
        case .filtered(let reason): Row(line: record.line, outcome: "filtered", reason: reason.code)
        case .rejected(let reason, let detail):
            Row(line: record.line, outcome: "rejected", reason: reason.code, detail: detail)
        }
    }

}

extension PreviewListing {
    private func text(of file: File, _ rows: [Row], _ preview: Preview) -> String {
        let from =
            switch preview.dateOrigin {
            case .given: "as given"
            case .fileName: "from the file's name"
            case .firstTime: "from the first time in it"
            case .yesterday: "yesterday, since nothing tells"
            }
        let status = file.status == "ok" ? "" : "; the file is \(file.status)"
        var lines = [
            "\(file.path.shown)",
            "source \(file.source.shown) (\(file.format), \(file.layout)), log date \(file.logDate) (\(from)), "
                + "\(file.isWhole ? "" : "the first ")\(Text.plural(file.lines, "line"))\(status)",
        ]
        let table = table(rows)
        if !table.isEmpty { lines += [""] + table }
        if isVerbose { lines += [""] + counts([(file.source, preview.tally)]) }
        return lines.joined(separator: "\n")
    }

    /// The counts of all files.
    private var total: String {
        let head =
            files.count == 1
            ? []
            : [
                "all \(Text.plural(files.count, "file")), \(Text.plural(files.reduce(0) { $0 + $1.lines }, "line"))",
                "",
            ]
        return (head + counts(tallies)).joined(separator: "\n")
    }

    /// A table of the records by source, outcome and reason.
    private func counts(_ tallies: [(source: String, tally: FileTally)]) -> [String] {
        let rows = tallies.flatMap { source, tally in
            tally.counts.map { [source.shown, $0.outcome.rawValue, $0.reason, Text.number($0.records)] }
        }
        guard !rows.isEmpty else { return ["no records"] }
        var columns = Columns([.left, .left, .left, .right])
        columns.add(["source", "outcome", "reason", "records"])
        for row in rows { columns.add(row) }
        let all = tallies.reduce(0) { $0 + $1.tally.records }
        if rows.count > 1 { columns.add(["all", "", "", Text.number(all)]) }
        return columns.lines
    }

    private func table(_ rows: [Row]) -> [String] {
        var runs: [(row: Row, last: Row, count: Int)] = []
        for row in rows {
            if let run = runs.last, row.outcome == "filtered", row.reason == run.row.reason {
                runs[runs.count - 1] = (run.row, row, run.count + 1)
            } else {
                runs.append((row, row, 1))
            }
        }
        let shown = runs.prefix(limit)
        guard !shown.isEmpty else { return [] }
        var columns = Columns([.right, .left, .left, .left, .left, .left, .left])
        columns.add(["line", "outcome", "time (\(zone.name))", "broadlog id", "delivery id", "action", "platform"])
        for (row, last, _) in shown {
            let line = row.line == last.line ? "\(row.line)" : "\(row.line)-\(last.line)"
            columns.add([
                line, row.outcome, row.time ?? "", row.broadlogId?.shown ?? "", row.deliveryId?.shown ?? "",
                row.action ?? "", row.platform ?? "",
            ])
        }
        let notes: [String] =
            [""]
            + shown.map { row, _, count in
                if row.outcome == "accepted" { return row.clockFallback == true ? "device clock wrong" : "" }
                return (count > 1 ? "\(row.reason), \(Text.number(count)) records" : row.reason)
                    + (row.detail.map { $0.isEmpty ? "" : ": \($0.shown)" } ?? "")
            }
        let width = Console.width
        var lines = zip(columns.lines, notes).map { line, note in
            let line = note.isEmpty ? line : line + "  " + note
            guard let width, line.count > width else { return line }
            return line.prefix(width - 1) + "…"
        }
        let left = runs.dropFirst(limit).reduce(0) { $0 + $1.count }
        if left > 0 { lines.append("… and \(Text.plural(left, "record")) more; --limit shows more") }
        return lines
    }
}
