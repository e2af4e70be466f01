/// The dashboard of the bundle for Superset: a tab with the figures, and one with the usual questions.
struct SupersetDashboard {
    private(set) var charts: [SupersetChart] = []
    let definition: JSONText

    init(_ questions: [SupersetDataset]) throws {
        let answers = questions.map { SupersetChart.answer($0) }
        let pairs = stride(from: 0, to: answers.count, by: 2).map { Array(answers[$0..<min($0 + 2, answers.count)]) }
        var parts: [JSONText] = []
        for (tab, rows) in [("Figures", try SupersetChart.figures()), ("Questions", pairs)] {
            var values = ["tab": JSONText.plain(tab), "rows": .texts(rows.indices.map { "ROW-\(tab)-\($0)" })]
            parts.append(Templates.superset.fill("tab", values))
            for (index, row) in rows.enumerated() {
                values["row"] = .plain(String(index))
                values["charts"] = .texts(row.map { "CHART-\($0.id)" })
                parts.append(Templates.superset.fill("row", values))
                for chart in row {
                    charts.append(chart)
                    values["number"] = .plain(String(charts.count))
                    values["id"] = .plain(chart.id)
                    values["title"] = .text(chart.title)
                    values["width"] = .plain(String(chart.width))
                    values["height"] = .plain(String(chart.height))
                    parts.append(Templates.superset.fill("place", values))
                }
            }
        }
        definition = Templates.superset.fill(
            "dashboard",
            [
                "id": .plain(SupersetName(kind: "dashboard", name: "push").id), "parts": .list(parts),
                // The dataset whose platforms and period may be chosen.
                "totals": .plain(SupersetName(kind: "dataset", name: "daily_totals").id),
            ])
    }
}
