/// A usual question and its SQL query. `Questions.sql` contains all questions, including those that only the report
/// asks.
///
/// The article "Questions and queries" shows the same queries with days and a delivery of the sample logs.
struct Question {
    let title: String
    /// The query. A parameter, which a tool lets people fill in, has its usual value.
    let sql: String
    let hasParameters: Bool

    /// The questions that people ask, in the order of the file.
    static let all = parts.filter { !$0.title.hasPrefix(pageMark) }.map { title, query in
        let sql = usual.reduce(query) { $0.replacing($1.key, with: $1.value) }
        return Question(title: title, sql: sql, hasParameters: sql != query)
    }

    /// The first paragraph of the file describes the file itself.
    private static let parts = String(decoding: PackageResources.Questions_sql, as: UTF8.self).split(separator: "\n\n")
        .dropFirst().map { part in
            let lines = part.drop { $0 == "\n" }.split(separator: "\n")
            let query = lines.drop { $0.hasPrefix("-- ") }.joined(separator: "\n").prefix { $0 != ";" }
            return (title: String(lines[0].dropFirst(3)), query: String(query))
        }

    private static let pageMark = "Page: "

    /// The last day of a report: that of most events of the last log date.
    private static let last = """
        FROM about LEFT JOIN hourly_actions ON log_date = value AND day BETWEEN date(value, '-40 days') AND \
        date(value, '2 days') WHERE key = 'last_log_date' GROUP BY day ORDER BY sum(events) DESC, day DESC LIMIT 1
        """

    /// SQL for the values that are taken where none are given: the 28 days of a report, and the delivery with the most
    /// messages.
    private static let usual = [
        ":from": "(SELECT date(coalesce(day, value), '-27 days') \(last))",
        ":to": "(SELECT coalesce(day, value) \(last))",
        ":delivery_id": "(SELECT delivery_id FROM delivery_results ORDER BY messages DESC, delivery_id LIMIT 1)",
    ]

    /// A query of the report. `{{sum(#)}}` in it becomes such a term for each column.
    /// - Parameter texts: SQL for parameters other than `:from` and `:to`, which are bound as values.
    static func page(_ name: String, columns: [String] = [], texts: [String: String] = [:]) -> String {
        guard let query = parts.first(where: { $0.title == pageMark + name })?.query else {
            preconditionFailure("Questions.sql has no query of the page that is called \(name)")
        }
        let filled = query.replacing(#/\{\{(.*?)\}\}/#) { match in
            columns.map { match.1.replacing("#", with: $0) }.joined(separator: ", ")
        }.replacing(#/checked\((\w+)\)/#) { match in
            // A negative value makes the sum NULL, and a value that is no integer gives no integer. Reading either one
            // fails.
            "CASE WHEN min(\(match.1)) >= 0 THEN sum(\(match.1)) END AS \(match.1)"
        }
        return texts.reduce(filled) { $0.replacing($1.key, with: $1.value) }
    }
}
