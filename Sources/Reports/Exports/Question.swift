/// A usual question: a section of the article "Questions and queries" whose heading ends in a question mark.
///
/// The article is the only place of the queries. Its queries name days and a delivery of the sample logs. Elsewhere they
/// are parameters, `:from`, `:to` and `:delivery_id`, which a tool lets people fill in.
package struct Question: Equatable, Sendable {
    /// The heading.
    package let title: String
    /// What the article says before the query, as Markdown on one line.
    package let explanation: String
    /// The query of the article.
    package let example: String

    /// For addresses and file names: `how-soon-do-people-open`.
    package var name: String { Question.name(title) }

    static func name(_ title: String) -> String {
        title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }.joined(separator: "-")
    }

    /// The query with parameters.
    package var sql: String {
        example
            .replacing(/BETWEEN '[0-9-]{10}' AND '[0-9-]{10}'/, with: "BETWEEN :from AND :to")
            .replacing(/>= '[0-9-]{10}'/, with: ">= :from")
            .replacing(/<= '[0-9-]{10}'/, with: "<= :to")
            .replacing(/delivery_id = '[^']*'/, with: "delivery_id = :delivery_id")
    }

    /// The parameters, in the order of their first use.
    package var parameters: [Parameter] {
        let found = Parameter.allCases.compactMap { parameter in
            sql.firstRange(of: ":\(parameter.rawValue)").map { (parameter, $0.lowerBound) }
        }
        return found.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The query in which each parameter is replaced by `text`.
    package func sql(_ text: (Parameter) -> String) -> String {
        parameters.reduce(sql) { $0.replacing(":\($1.rawValue)", with: text($1)) }
    }

    package enum Parameter: String, CaseIterable, Sendable {
        case from, to
        case delivery = "delivery_id"

        /// SQL for the value that is taken where none is given: the 28 days up to the last log date, and the delivery with
        /// the most messages.
        var usual: String {
            switch self {
            case .from: "(SELECT date(value, '-27 days') FROM about WHERE key = 'last_log_date')"
            case .to: "(SELECT value FROM about WHERE key = 'last_log_date')"
            case .delivery: "(SELECT delivery_id FROM delivery_results ORDER BY messages DESC, delivery_id LIMIT 1)"
            }
        }

        /// SQL for a parameter of a web page, which is empty or missing unless it is filled in.
        var orUsual: String { "coalesce(nullif(:\(rawValue), ''), \(usual))" }
    }

    /// The questions of the article, in its order.
    package static func all(in article: String) -> [Question] {
        article.split(separator: "\n## ").dropFirst().compactMap { section in
            let parts = section.split(separator: "```sql\n", maxSplits: 1)
            guard parts.count == 2, let query = parts[1].split(separator: "\n```", maxSplits: 1).first,
                let title = parts[0].split(separator: "\n").first, title.hasSuffix("?")
            else { return nil }
            let words = parts[0].dropFirst(title.count).split { $0 == "\n" || $0 == " " }
            return Question(
                title: String(title), explanation: words.joined(separator: " "), example: String(query))
        }
    }
}
