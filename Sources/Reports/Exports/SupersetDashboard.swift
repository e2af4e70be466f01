/// The dashboard of the bundle for Superset: a tab with the figures, and one with the usual questions.
struct SupersetDashboard {
    static let title = "Push messages"

    private let tabs: [(title: String, rows: [[SupersetChart]])]
    private let platforms: SupersetDataset

    var charts: [SupersetChart] { tabs.flatMap(\.rows).flatMap { $0 } }

    /// - Parameter table: gives the dataset of a table of push.db.
    init(_ table: (String) -> SupersetDataset, _ questions: [SupersetDataset]) {
        let totals = table("daily_totals")
        let sum = SupersetDataset.sum
        let openRate = SupersetDataset.rate("impression_open_rate")
        let figures: [[SupersetChart]] = [
            [
                .figure("Messages", sum("messages"), totals), .figure("Impressed", sum("impressed"), totals),
                .figure("Opened", sum("opened"), totals), .figure("Opened of impressed", openRate, totals),
            ],
            [
                .line(
                    "What became of the messages of each day", [sum("messages"), sum("impressed"), sum("opened")],
                    width: 8, totals),
                .bars("Messages by platform", sum("messages"), by: "platform", width: 4, totals),
            ],
            [
                .line(
                    "Opened of impressed, by platform", [openRate], by: "platform", format: ".1%", width: 6, totals),
                .bars(
                    "Opens by hour of the day", sum("events"), by: "hour", where: ("action", "open"), width: 6,
                    isUpright: true,
                    table("hourly_actions")),
            ],
            [
                .table(
                    "Deliveries with the most opens", ["delivery_id"],
                    [sum("opened"), sum("messages"), sum("impressed"), openRate], limit: 20, width: 6,
                    table("daily_funnel")),
                .table(
                    "Deliveries by what was sent", ["label", "delivery_id"],
                    [sum("sent"), sum("messages"), sum("opened"), SupersetDataset.rate("open_rate")], limit: 20,
                    width: 6, table("delivery_results")),
            ],
            [
                .bars(
                    "Events by days after they happened", sum("events"), by: "days_late", width: 4, isUpright: true,
                    table("daily_lateness")),
                .bars(
                    "Duplicates by action", sum("duplicates"), by: "action", width: 4, table("hourly_actions")),
                .bars(
                    "Rejected records by reason", sum("records"), by: "reason", where: ("outcome", "rejected"),
                    width: 4, table("outcomes")),
            ],
        ]
        let answers = questions.map { SupersetChart.answer($0) }
        let rows = stride(from: 0, to: answers.count, by: 2).map { Array(answers[$0..<min($0 + 2, answers.count)]) }
        tabs = [("Figures", figures), ("Questions", rows)]
        platforms = totals
    }

    var definition: JSONValue {
        [
            "dashboard_title": .text(SupersetDashboard.title),
            "description": "Exact daily figures from push tracking logs.", "css": "", "slug": "push-messages",
            "uuid": .text(SupersetName(kind: "dashboard", name: "push").id), "position": .object(position),
            "metadata": [
                "color_scheme": "", "refresh_frequency": 0, "expanded_slices": [:], "label_colors": [:],
                "timed_refresh_immune_slices": [], "cross_filters_enabled": true,
                "native_filter_configuration": [
                    filter("days", "Days", "filter_time", target: [:]),
                    filter(
                        "platform", "Platform", "filter_select",
                        target: ["column": ["name": "platform"], "datasetUuid": .text(platforms.id)]),
                ],
            ],
            "published": true, "version": "1.0.0",
        ]
    }

    private func filter(_ name: String, _ title: String, _ type: String, target: JSONValue) -> JSONValue {
        [
            "id": .text("NATIVE_FILTER-\(name)"), "name": .text(title), "filterType": .text(type),
            "type": "NATIVE_FILTER", "targets": [target], "description": "", "cascadeParentIds": [],
            "controlValues": ["multiSelect": true, "enableEmptyFilter": false, "inverseSelection": false],
            "defaultDataMask": ["extraFormData": [:], "filterState": [:], "ownState": [:]],
            "scope": ["rootPath": ["ROOT_ID"], "excluded": []],
        ]
    }

    /// The layout: each part names its parents and children.
    private var position: [(key: String, value: JSONValue)] {
        var parts: [(key: String, value: JSONValue)] = [("DASHBOARD_VERSION_KEY", "v2")]
        func part(_ id: String, _ type: String, _ children: [String], _ parents: [String], _ meta: JSONValue? = nil) {
            var facts: [(key: String, value: JSONValue)] = [
                ("id", .text(id)), ("type", .text(type)), ("children", .array(children.map { .text($0) })),
                ("parents", .array(parents.map { .text($0) })),
            ]
            if let meta { facts.append(("meta", meta)) }
            parts.append((id, .object(facts)))
        }
        part("ROOT_ID", "ROOT", ["TABS-all"], [])
        part("HEADER_ID", "HEADER", [], [], ["text": .text(SupersetDashboard.title)])
        part("TABS-all", "TABS", tabs.map { "TAB-\($0.title)" }, ["ROOT_ID"], [:])
        var number = 0
        for tab in tabs {
            let id = "TAB-\(tab.title)"
            let rows = tab.rows.indices.map { "ROW-\(tab.title)-\($0)" }
            part(id, "TAB", rows, ["ROOT_ID", "TABS-all"], ["text": .text(tab.title)])
            for (row, charts) in zip(rows, tab.rows) {
                let path = ["ROOT_ID", "TABS-all", id]
                part(
                    row, "ROW", charts.map { "CHART-\($0.id)" }, path, ["background": "BACKGROUND_TRANSPARENT"])
                for chart in charts {
                    number += 1
                    part(
                        "CHART-\(chart.id)", "CHART", [], path + [row],
                        [
                            "chartId": .number(number), "uuid": .text(chart.id), "sliceName": .text(chart.title),
                            "width": .number(chart.width), "height": .number(chart.height),
                        ])
                }
            }
        }
        return parts
    }
}
