import SQLite
import Testing

@testable import Partitions

/// The plans of the usual questions. They depend on the keys and on the fixed statistics, not on the rows, so a small
/// push.db shows the plans of a large one.
@Suite struct PlanTests {
    private static let week = "day BETWEEN '2026-11-13' AND '2026-11-19'"

    @Test(arguments: [
        (
            "top deliveries of a week",
            "SELECT delivery_id, sum(messages) AS m FROM daily_funnel WHERE \(week) GROUP BY 1 ORDER BY m DESC LIMIT 20",
            [
                "SEARCH daily_funnel USING PRIMARY KEY (day>? AND day<?)", "USE TEMP B-TREE FOR GROUP BY",
                "USE TEMP B-TREE FOR ORDER BY",
            ]
        ),
        (
            "one delivery over all time",
            "SELECT day, sum(opened) FROM daily_funnel WHERE delivery_id = 'd1' GROUP BY day",
            ["SEARCH daily_funnel USING PRIMARY KEY (ANY(day) AND delivery_id=?)"]
        ),
        (
            "the actions of one delivery",
            "SELECT action, sum(events) FROM daily_actions WHERE delivery_id = 'd1' GROUP BY 1",
            [
                "SEARCH daily_actions USING PRIMARY KEY (ANY(day) AND delivery_id=?)", "USE TEMP B-TREE FOR GROUP BY",
            ]
        ),
        (
            "a trend by platform", "SELECT day, platform, sum(opened) FROM daily_totals GROUP BY day, platform",
            ["SCAN daily_totals"]
        ),
        (
            "a trend of some months by platform",
            "SELECT day, platform, sum(opened) FROM daily_totals WHERE day >= '2026-06-01' GROUP BY day, platform",
            ["SEARCH daily_totals USING PRIMARY KEY (day>?)"]
        ),
        (
            "hours of a week", "SELECT day, hour, sum(events) FROM hourly_actions WHERE \(week) GROUP BY day, hour",
            ["SEARCH hourly_actions USING PRIMARY KEY (day>? AND day<?)"]
        ),
    ])
    func aUsualQuestionIsServedByAKey(question: String, sql: String, plan: [String]) throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 07:00:00"))]))
        try scene.publish()
        let found = try scene.rows("EXPLAIN QUERY PLAN \(sql)").map { String($0.split(separator: "|").last ?? "") }
        #expect(found == plan, "\(question)")
    }
}
