import SQLite
import Testing

@testable import Output
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

    private static let byLogDate = Set(OutputSchema.byLogDate.map(\.name))

    /// A step of a plan: what it is a part of, and its text.
    private typealias Step = (id: Int, parent: Int, text: String)

    private static func plan(_ sql: String, _ database: Database) throws -> [Step] {
        try database.rows("EXPLAIN QUERY PLAN \(sql)") { row in (try row.read(0), try row.read(1), try row.read(3)) }
    }

    /// A night touches a few days and deliveries. Tables by log date are looked up by their key, and no row of a join reads
    /// another table whole.
    @Test func aNightReadsNoTableByLogDateWhole() throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 07:00:00"))]))
        try scene.publish()
        let partitions = try PartitionSet(
            in: scene.folder, record: nil, known: KnownPartitions(), resources: PublishingResources())
        let database = try Database(scene.folder.databasePath)
        try database.transaction {
            try LogDateWriting(database: database, sources: []).prepare()
            try PublishedTables(database: database).write(partitions, settings: scene.settings())
            let gathering = PublishedTables.lookingUp.map { sql in
                ("gathering", String(sql.split(separator: " AS\n", maxSplits: 1)[1]))
            }
            #expect(PublishedTables.statements.count == 8)
            for (table, sql) in PublishedTables.statements + gathering {
                let steps = try PlanTests.plan(sql, database)
                #expect(!steps.isEmpty)
                for step in steps where step.text.hasPrefix("SCAN ") {
                    let name = String(step.text.split(separator: " ")[1])
                    #expect(!PlanTests.byLogDate.contains(name), "\(table): \(step.text)")
                    let isInner = steps.contains { other in
                        other.parent == step.parent && other.id < step.id && other.text.hasPrefix("S")
                    }
                    let isOfEachRow = steps.contains { $0.id == step.parent && $0.text.hasPrefix("CORRELATED") }
                    #expect(!isInner && !isOfEachRow, "\(table): \(step.text)")
                }
            }
        }
    }
}
