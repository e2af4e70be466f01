import Foundation
import SQLite
import Support
import Testing

/// The queries in the documentation give the answers that stand below them.
///
/// `PUSHETL_ANSWERS=write swift test --disable-xctest --filter QuestionsTests` writes the answers into the article. Read
/// what has changed: the sentences around a table may not fit any more.
@Suite(.needsPushetl)
struct QuestionsTests {
    private static let file = Workplace.packageFolder
        .appendingPathComponent("Sources/pushetl/pushetl.docc/Questions.md")

    @Test func everyQueryHasItsAnswer() throws {
        let place = try Workplace.withSamples()
        let load = try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19", "--output", "out")
        #expect(load.exit == 0, "\(load.stderr)")
        let database = try Connection(path: place.scratch.path("out/push.db"))
        let article = try String(contentsOf: Self.file, encoding: .utf8)
        // A block of SQL and, between the next two lines of quotes, its answer: a line of names, a line of hyphens, and
        // a line for each row.
        let parts = article.components(separatedBy: "```sql\n")
        var answered = parts[0]
        for part in parts.dropFirst() {
            var blocks = part.components(separatedBy: "```")
            try #require(blocks.count > 2)
            let answer = try database.read { database in
                let rows = try Row.fetchAll(database, sql: blocks[0])
                return Self.table(try Statement(blocks[0], in: database).columnNames, rows)
            }
            if ProcessInfo.processInfo.environment["PUSHETL_ANSWERS"] != "write" {
                #expect(blocks[2].trimmingCharacters(in: .newlines) == answer, "\(blocks[0])")
            }
            blocks[2] = "\n\(answer)\n"
            answered += "```sql\n" + blocks.joined(separator: "```")
        }
        #expect(parts.count > 20)
        if answered != article, ProcessInfo.processInfo.environment["PUSHETL_ANSWERS"] == "write" {
            try answered.write(to: Self.file, atomically: true, encoding: .utf8)
        }
    }

    /// As `sqlite3 -header -column` prints it, without spaces at the lines' ends.
    private static func table(_ names: [String], _ rows: [Row]) -> String {
        let cells =
            [names]
            + rows.map { row in
                row.databaseValues.map { $0 == .null ? "" : $0.description }
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
