/// A dashboard for datasette-dashboards. It shows the 28 days up to the last log date, unless other days are filled in.
struct DatasetteDashboard {
    static let name = "push"
    /// The name under which Datasette shows push.db.
    static let database = "push"
    static let title = "The last four weeks"

    /// A query on the days that are shown.
    private struct Chart {
        let name: String
        let title: String
        let query: String
        let library: String
        let display: JSONValue
    }

    var definition: JSONValue {
        [
            "title": .text(DatasetteDashboard.title),
            "description": """
            The 28 days up to the last log date, unless you fill in others. A message is counted on the day of its \
            first event, so the last days still grow.
            """,
            "layout": [
                ["messages", "impressed", "opened", "rate"], ["trend", "trend", "trend", "platforms"],
                ["rates", "rates", "soon", "soon"], ["hours", "hours", "deliveries", "deliveries"],
                ["late", "late", "duplicates", "rejects"],
            ],
            "filters": ["from": ["name": "From", "type": "date"], "to": ["name": "To", "type": "date"]],
            "charts": .object(
                charts.map { chart in
                    let facts: JSONValue = [
                        "title": .text(chart.title), "db": .text(DatasetteDashboard.database),
                        "query": .text(chart.query), "library": .text(chart.library), "display": chart.display,
                    ]
                    return (chart.name, facts)
                }),
        ]
    }

    private static let days =
        "BETWEEN \(Question.Parameter.from.orUsual) AND \(Question.Parameter.to.orUsual)"

    private var charts: [Chart] { figures + trends + details + quality }

    private var figures: [Chart] {
        [
            metric("messages", "Messages", "printf('%,d', coalesce(sum(messages), 0))"),
            metric("impressed", "Impressed", "printf('%,d', coalesce(sum(impressed), 0))"),
            metric("opened", "Opened", "printf('%,d', coalesce(sum(opened), 0))"),
            metric(
                "rate", "Opened of impressed",
                "coalesce(printf('%.1f %%', 100.0 * sum(opened_impressed) / sum(impressed)), 'unknown')"),
        ]
    }

    private func metric(_ name: String, _ title: String, _ value: String) -> Chart {
        Chart(
            name: name, title: title,
            query: "SELECT \(value) AS value FROM daily_totals WHERE day \(DatasetteDashboard.days)",
            library: "metric", display: ["field": "value"])
    }

    private var trends: [Chart] {
        let days = DatasetteDashboard.days
        let measures = ["messages", "impressed", "opened"].map {
            "SELECT day, '\($0)' AS measure, sum(\($0)) AS messages FROM daily_totals WHERE day \(days) GROUP BY day"
        }
        return [
            Chart(
                name: "trend", title: "What became of the messages of each day",
                query: measures.joined(separator: " UNION ALL "), library: "vega-lite",
                display: line(
                    y: "messages", title: "messages", colour: "measure", order: ["messages", "impressed", "opened"])),
            Chart(
                name: "platforms", title: "Messages by platform",
                query:
                    "SELECT platform, sum(messages) AS messages FROM daily_totals WHERE day \(days) GROUP BY platform",
                library: "vega-lite", display: bars(label: "platform", value: "messages")),
            Chart(
                name: "rates", title: "Opened of impressed, by platform (of 100 impressed or more)",
                query: """
                    SELECT day, platform, 1.0 * sum(opened_impressed) / sum(impressed) AS rate FROM daily_totals \
                    WHERE day \(days) GROUP BY day, platform HAVING sum(impressed) >= 100
                    """,
                library: "vega-lite",
                display: line(y: "rate", title: "opened of impressed", colour: "platform", format: "%")),
        ]
    }

    private var details: [Chart] {
        let days = DatasetteDashboard.days
        let limits = ["10s", "1m", "5m", "1h", "6h", "24h", "72h", "7d"]
        let soon = limits.enumerated().map { index, limit in
            "SELECT \(index) AS place, '\(limit)' AS within, "
                + "1.0 * sum(opened_\(limit)) / sum(opened_seen) AS share FROM daily_totals WHERE day \(days)"
        }
        return [
            Chart(
                name: "soon", title: "How soon people open: share of the opens within a time",
                query: soon.joined(separator: " UNION ALL "), library: "vega-lite",
                display: shares(
                    mark: ["type": "line", "point": true, "tooltip": true], of: "opens", by: "within", title: nil,
                    format: "%", height: 240)),
            Chart(
                name: "hours", title: "Opens by weekday and hour",
                query: """
                    SELECT weekday, hour, sum(events) AS opens FROM hourly_actions JOIN calendar USING (day) \
                    WHERE action = 'open' AND hourly_actions.day \(days) GROUP BY weekday, hour
                    """,
                library: "vega-lite",
                display: [
                    "height": 220,
                    "mark": ["type": "rect", "tooltip": true],
                    "encoding": [
                        "x": ["field": "hour", "type": "ordinal", "axis": ["labelAngle": 0]],
                        "y": [
                            "field": "weekday", "type": "ordinal", "title": nil,
                            "axis": [
                                "labelExpr":
                                    "['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][datum.value - 1]"
                            ],
                        ],
                        "color": ["field": "opens", "type": "quantitative"],
                    ],
                ]),
            Chart(
                name: "deliveries", title: "Deliveries with the most opens",
                // The table is made of HTML, and ids and labels come from logs and files.
                query: """
                    SELECT \(escaped("coalesce(label, delivery_id)")) AS delivery, printf('%,d', messages) AS messages, \
                    printf('%,d', opened) AS opened, \
                    coalesce(printf('%.1f %%', 100.0 * opened_impressed / impressed), '') AS "of impressed" \
                    FROM (SELECT delivery_id, sum(messages) AS messages, sum(opened) AS opened, sum(impressed) AS impressed, \
                    sum(opened_impressed) AS opened_impressed FROM daily_funnel WHERE day \(days) GROUP BY delivery_id \
                    ORDER BY opened DESC, delivery_id LIMIT 10) JOIN deliveries USING (delivery_id) \
                    ORDER BY 0 + replace(opened, ',', '') DESC, delivery_id
                    """,
                library: "table", display: nil),
        ]
    }

    private var quality: [Chart] {
        let days = DatasetteDashboard.days
        return [
            Chart(
                name: "late", title: "Late hits: share of the events that came days after they happened",
                query: """
                    SELECT CASE WHEN days_late > 7 THEN 'later' ELSE days_late END AS "days late", \
                    min(days_late, 8) AS place, 1.0 * sum(events) / (SELECT sum(events) FROM daily_lateness \
                    WHERE day \(days)) AS share FROM daily_lateness WHERE days_late <> 0 AND day \(days) GROUP BY 1, 2
                    """,
                library: "vega-lite",
                display: shares(
                    mark: ["type": "bar", "tooltip": true], of: "events", by: "days late", title: "days late",
                    format: ".2%", height: 220)),
            Chart(
                name: "duplicates", title: "Duplicates by action, per 100 records",
                query: """
                    SELECT action, 100.0 * sum(duplicates) / (sum(events) + sum(duplicates)) AS "per 100" \
                    FROM hourly_actions WHERE day \(days) GROUP BY action HAVING sum(events) > 0
                    """,
                library: "vega-lite", display: bars(label: "action", value: "per 100")),
            Chart(
                name: "rejects", title: "Rejected records by reason (by log date)",
                query: """
                    SELECT reason, sum(records) AS records FROM outcomes \
                    WHERE outcome = 'rejected' AND log_date \(days) GROUP BY reason
                    """,
                library: "vega-lite", display: bars(label: "reason", value: "records")),
        ]
    }

    /// Lines over days. Vega reads a date as UTC, so the scale must be UTC too.
    private func line(
        y field: String, title: String, colour: String, order: [String] = [], format: String = ",~f"
    ) -> JSONValue {
        let series: JSONValue = [
            "field": .text(colour), "type": "nominal", "legend": ["orient": "top", "title": nil],
            "sort": order.isEmpty ? "ascending" : .array(order.map { .text($0) }),
        ]
        return [
            "height": 240,
            "mark": ["type": "line", "point": true, "tooltip": true],
            "encoding": [
                "x": [
                    "field": "day", "type": "temporal", "title": nil, "scale": ["type": "utc"],
                    // Of a few days, the axis has ticks within a day too.
                    "axis": [
                        "grid": false,
                        "labelExpr": "utchours(datum.value) == 0 ? utcFormat(datum.value, '%d %b') : ''",
                    ],
                ],
                "y": [
                    "field": .text(field), "type": "quantitative", "title": .text(title),
                    "axis": ["format": .text(format)],
                ],
                "color": series,
            ],
        ]
    }

    /// The column `share`, of a whole that is called `whole`, in the order of the column `place`.
    private func shares(
        mark: JSONValue, of whole: String, by field: String, title: JSONValue, format: String, height: JSONValue
    ) -> JSONValue {
        [
            "height": height,
            "mark": mark,
            "encoding": [
                "x": [
                    "field": .text(field), "type": "ordinal", "sort": ["field": "place"], "title": title,
                    "axis": ["labelAngle": 0],
                ],
                "y": [
                    "field": "share", "type": "quantitative", "title": .text("share of \(whole)"),
                    "axis": ["format": .text(format)],
                ],
            ],
        ]
    }

    private func bars(label: String, value: String) -> JSONValue {
        [
            "height": 220,
            "mark": ["type": "bar", "tooltip": true],
            "encoding": [
                "y": ["field": .text(label), "type": "nominal", "sort": "-x", "title": nil],
                "x": ["field": .text(value), "type": "quantitative", "axis": ["format": ",~f", "tickCount": 3]],
            ],
        ]
    }

    /// SQL that makes a text safe in HTML.
    private func escaped(_ text: String) -> String {
        "replace(replace(replace(\(text), '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"
    }
}
