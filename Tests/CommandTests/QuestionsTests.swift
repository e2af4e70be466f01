import Foundation
import GRDB
import Support
import Testing

/// The queries in the documentation give the answers that stand below them.
@Suite(.enabled(if: Program.built != nil, "pushetl is not built beside the tests"))
struct QuestionsTests {
    private struct Question {
        let sql: String
        /// A line of names, a line of hyphens, and a line for each row.
        let answer: String
    }

    /// The queries of the article "Questions and queries": a block of SQL, and the block after it.
    private static func questions() throws -> [Question] {
        let article = Workplace.packageFolder.appendingPathComponent("Sources/pushetl/pushetl.docc/Questions.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        return text.split(separator: "```sql\n").dropFirst().compactMap { part in
            let blocks = part.split(separator: "```", maxSplits: 3).map(String.init)
            guard blocks.count > 2 else { return nil }
            return Question(sql: blocks[0], answer: blocks[2].trimmingCharacters(in: .newlines))
        }
    }

    @Test func everyQueryHasItsAnswer() throws {
        let questions = try QuestionsTests.questions()
        #expect(questions.count >= 15)
        let place = try Workplace.withSamples()
        let load = try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19", "--output", "out")
        #expect(load.exit == 0, "\(load.stderr)")
        let database = try DatabaseQueue(path: place.scratch.path("out/push.db"))
        try database.read { database in
            for question in questions {
                let rows = try Row.fetchAll(database, sql: question.sql)
                let names = try database.makeStatement(sql: question.sql).columnNames
                #expect(QuestionsTests.table(names, rows) == question.answer, "\(question.sql)")
            }
        }
    }

    /// As `sqlite3 -header -column` prints it, without spaces at the lines' ends.
    private static func table(_ names: [String], _ rows: [Row]) -> String {
        let cells =
            [names]
            + rows.map { row in
                row.map { _, value in
                    switch value.storage {
                    case .null: ""
                    case .double(let number): "\(number)"
                    default: String.fromDatabaseValue(value) ?? "\(value)"
                    }
                }
            }
        let widths = names.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        let lines = [line(names), line(widths.map { String(repeating: "-", count: $0) })] + cells.dropFirst().map(line)
        return lines.joined(separator: "\n")
    }
}
