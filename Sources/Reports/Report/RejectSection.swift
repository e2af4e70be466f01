/// The records that could not be read, by reason.
struct RejectSection {
    private static let meanings = [
        "line_too_long": "a line over 1 MiB, or a JSON object over 8 MiB",
        "malformed_line": "the line does not fit its layout",
        "joined_lines": "a line that holds a second hit",
        "malformed_id": "an id is not of its form",
        "empty_id": "a part of the id is empty",
        "unknown_action": "an action code that the pipeline does not name",
        "bad_time": "no time that can be read",
        "no_body": "a request without a body",
        "not_json": "a value that is not JSON, such as an encrypted one",
        "bad_json": "invalid JSON",
        "not_users_track": "JSON that is not a body of /users/track",
        "missing_action": "no action",
        "bad_tracking": "a tracking value other than on and off",
        "missing_id": "no broadlog id or no delivery id",
    ]

    let context: PageContext

    private var now: PeriodFigures { context.figures.now }
    private var before: PeriodFigures? { context.figures.before }

    private var reasons: [String] {
        now.rejects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    var markup: Markup {
        .section("rejects", "Records that could not be read") {
            if now.records == 0 {
                Markup.paragraph("No records were read: no log date of this period is loaded.")
            } else if reasons.isEmpty {
                Markup.paragraph(
                    "None of \(NumberText.exact(now.records)) records was rejected; "
                        + "\(NumberText.exact(now.filtered)) were filtered, because they are not push events.")
            } else {
                chart.figure("rejects-chart", width: 504, note: note, table: table)
            }
        }
    }

    private func share(_ count: Int, _ figures: PeriodFigures) -> Double? {
        figures.records > 0 ? Double(count) / Double(figures.records) : nil
    }

    private var note: String {
        "Of the period's log dates \(NumberText.exact(now.records)) records were read: "
            + "\(NumberText.percent(share(now.rejected, now), places: 2)) were rejected, and "
            + "\(NumberText.percent(share(now.filtered, now))) were filtered, because they are not push events."
    }

    private var chart: BarChart {
        BarChart(
            title: "Rejected records by reason", summary: note,
            bars: reasons.map { reason in
                let count = now.rejects[reason] ?? 0
                return BarChart.Bar(name: reason, value: Double(count), text: NumberText.rounded(count))
            })
    }

    private var table: DataTable {
        var table = DataTable(
            caption: "rejected records",
            columns: ["reason", "records", "of records read"]
                + (before == nil ? [] : [context.comparedColumn, "of records then"]) + ["meaning"],
            texts: ["meaning"])
        let all = reasons + (before?.rejects.keys.filter { now.rejects[$0] == nil }.sorted() ?? [])
        for reason in all {
            let count = now.rejects[reason] ?? 0
            var cells = [NumberText.exact(count), NumberText.percent(share(count, now), places: 3)]
            if let before {
                let former = before.rejects[reason] ?? 0
                cells += [NumberText.exact(former), NumberText.percent(share(former, before), places: 3)]
            }
            let meaning = RejectSection.meanings[reason] ?? ""
            table.add(.element("code") { Markup.data(reason) }, (cells + [meaning]).map(Markup.init(text:)))
        }
        return table
    }
}
