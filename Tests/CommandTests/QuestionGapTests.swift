import Foundation
import Reports
import SQLite
import Support
import Testing

/// Each question of the documentation, asked of two months with missing, partial and empty log dates.
///
/// The answers stand in `Tests/Fixtures/gappy-answers.txt`, where they were put when plain loops over the hits gave the same.
/// `PUSHETL_UPDATE=1 swift test --disable-xctest --filter QuestionGapTests` writes them anew: count those that have changed by
/// hand, or by other means than SQL.
@Suite(.needsPushetl)
struct QuestionGapTests {
    private static let file = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/gappy-answers.txt")

    @Test func everyAnswerIsThatOfTheHits() throws {
        let place = try Workplace()
        let logs = GappyLogs()
        for (name, text) in logs.files { try place.scratch.write(text, to: name) }
        let (first, last) = (GappyLogs.date(0), GappyLogs.date(GappyLogs.count - 1))
        let load = try place.run("backfill", "--quiet", "--from", "\(first)", "--to", "\(last)")
        #expect(load.exit == 65, "\(load.stderr)")
        let database = try Connection(path: place.scratch.path("out/push.db"))
        let answers = try Question.all.map { question in
            let sql = question.sql { parameter in
                switch parameter {
                case .from: "'\(first)'"
                case .to: "'\(last)'"
                case .delivery: "'d4x0'"
                }
            }
            let rows = try database.read { try Row.fetchAll($0, sql: sql) }.map { row in
                row.databaseValues.map { $0 == .null ? "" : $0.description }.joined(separator: "|")
            }
            #expect(!rows.isEmpty, "\(question.title)")
            return "\(question.title)\n" + rows.map { "  \($0)\n" }.joined()
        }
        if ProcessInfo.processInfo.environment["PUSHETL_UPDATE"] == "1" {
            try answers.joined().write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: Self.file, encoding: .utf8)
        for answer in answers { #expect(expected.contains(answer), "\(answer)") }
        #expect(expected == answers.joined())
    }
}
