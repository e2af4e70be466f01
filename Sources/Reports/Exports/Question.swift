/// A usual question with its query. `Questions.sql` has all of them.
///
/// The article "Questions and queries" shows the same queries with days and a delivery of the sample logs.
package struct Question: Equatable, Sendable {
    package let title: String
    /// What people should know before they read the answer.
    package let explanation: String
    /// The query with its parameters, which a tool lets people fill in.
    package let sql: String

    /// The questions, in the order of the file.
    package static let all = all(in: String(decoding: PackageResources.Questions_sql, as: UTF8.self))

    /// The questions of a file of comments and queries. The first lines, up to an empty one, are about the file itself.
    static func all(in file: String) -> [Question] {
        file.split(separator: "\n\n").dropFirst().map { part in
            let lines = part.split(separator: "\n")
            let comment = lines.prefix { $0.hasPrefix("-- ") }
            let query = lines[comment.endIndex...].joined(separator: "\n")
            return Question(
                title: comment.first.map { String($0.dropFirst(3)) } ?? "",
                explanation: comment.dropFirst().map { $0.dropFirst(3) }.joined(separator: " "),
                sql: String(query.prefix { $0 != ";" }))
        }
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
    }
}
