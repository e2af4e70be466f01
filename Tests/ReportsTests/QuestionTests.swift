import Foundation
import Testing

@testable import Reports

@Suite struct QuestionTests {
    @Test func aCommentAndAQueryAreAQuestion() {
        let file = """
            -- What this file is.
            -- It is a test.

            -- How many, and when?
            -- Of a
            -- and b.
            SELECT day FROM days
            WHERE day >= :from;

            -- Why?
            SELECT 1;

            """
        let questions = Question.all(in: file)
        #expect(questions.map(\.title) == ["How many, and when?", "Why?"])
        #expect(questions.map(\.explanation) == ["Of a and b.", ""])
        #expect(questions.map(\.sql) == ["SELECT day FROM days\nWHERE day >= :from", "SELECT 1"])
        #expect(questions.first?.name == "how-many-and-when")
        #expect(questions.first?.parameters == [.from])
    }

    @Test func aParameterIsReplacedWhereverItIsUsed() {
        let question = Question(
            title: "?", explanation: "",
            sql: "WHERE delivery_id = :delivery_id AND day BETWEEN :from AND :to AND day <= :to")
        #expect(question.parameters == [.delivery, .from, .to])
        #expect(
            question.sql { "<\($0.rawValue)>" }
                == "WHERE delivery_id = <delivery_id> AND day BETWEEN <from> AND <to> AND day <= <to>")
    }

    /// A date or an id of the sample logs would be wrong in anybody else's tool.
    @Test func noQueryNamesTheSampleLogs() {
        #expect(Question.all.count >= 15)
        #expect(Set(Question.all.map(\.name)).count == Question.all.count)
        for question in Question.all {
            #expect(question.sql.firstMatch(of: /[0-9]{4}-[0-9]{2}/) == nil, "\(question.sql)")
            let names = question.sql.matches(of: /(?:delivery_id|label|campaign|variant|source) (?:=|IN|LIKE) ?\(?'/)
            #expect(names.isEmpty, "\(question.sql)")
        }
    }

    /// In the same order, and word for word, but for code voice, links, and the values of the parameters.
    @Test func theArticleShowsTheSameQuestions() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent("Sources/pushetl/pushetl.docc/Questions.md"), encoding: .utf8)
        let sections = article.components(separatedBy: "\n## ").filter { section in
            section.prefix { $0 != "\n" }.last == "?"
        }
        #expect(sections.count == Question.all.count)
        for (section, question) in zip(sections, Question.all) {
            let parts = section.components(separatedBy: "```sql\n")
            try #require(parts.count == 2, "\(question.title)")
            let words = parts[0].replacing("`", with: "").replacing(/\[(.*?)\]\(.*?\)/) { $0.1 }
                .split { $0 == "\n" || $0 == " " }
            #expect(words.joined(separator: " ") == (question.title + " " + question.explanation).trimmed)
            let shown = parts[1].components(separatedBy: "\n```")[0]
            let values = /'(?:2026-[0-9-]{5}|[0-9a-f]{5})'/
            #expect(shown.replacing(values, with: "?") == question.sql { _ in "?" })
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
