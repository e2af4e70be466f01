import Foundation
import Testing

@testable import Reports

@Suite struct QuestionTests {
    private static func article() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("Sources/pushetl/pushetl.docc/Questions.md"), encoding: .utf8)
    }

    @Test func aSectionWithAQuestionAndAQueryIsAQuestion() {
        let article = """
            # Title

            ```sql
            SELECT 0
            ```

            ## No question

            ```sql
            SELECT 1
            ```

            ## How many, and when?

            Of `a`
            and b.

            ```sql
            SELECT day FROM days
            WHERE day >= '2026-11-16'
            ```

            ```
            day
            ---
            ```

            ## Why?

            No query.
            """
        let questions = Question.all(in: article)
        #expect(questions.map(\.title) == ["How many, and when?"])
        #expect(questions.first?.name == "how-many-and-when")
        #expect(questions.first?.explanation == "Of `a` and b.")
        #expect(questions.first?.example == "SELECT day FROM days\nWHERE day >= '2026-11-16'")
        #expect(questions.first?.sql == "SELECT day FROM days\nWHERE day >= :from")
        #expect(questions.first?.parameters == [.from])
    }

    @Test func daysAndDeliveriesOfTheSampleLogsBecomeParameters() {
        let question = Question(
            title: "?", explanation: "",
            example:
                "WHERE delivery_id = '121d00' AND day BETWEEN '2026-11-16' AND '2026-11-19' AND day <= '2026-11-18'")
        #expect(question.sql == "WHERE delivery_id = :delivery_id AND day BETWEEN :from AND :to AND day <= :to")
        #expect(question.parameters == [.delivery, .from, .to])
        #expect(
            question.sql { "<\($0.rawValue)>" }
                == "WHERE delivery_id = <delivery_id> AND day BETWEEN <from> AND <to> AND day <= <to>")
    }

    /// A date or an id of the sample logs would be wrong in anybody else's tool. If this fails, `Question.sql` must learn
    /// the form of the new query.
    @Test func noQuestionOfTheArticleNamesTheSampleLogsInItsQuery() throws {
        let questions = Question.all(in: try QuestionTests.article())
        #expect(questions.count >= 15)
        #expect(Set(questions.map(\.name)).count == questions.count)
        for question in questions {
            #expect(question.sql.firstMatch(of: /[0-9]{4}-[0-9]{2}/) == nil, "\(question.sql)")
            let names = question.sql.matches(of: /(?:delivery_id|label|campaign|variant|source) (?:=|IN|LIKE) ?\(?'/)
            #expect(names.isEmpty, "\(question.sql)")
        }
    }
}
