/// A usual question with its query. `Questions.sql` has all of them.
///
/// The article "Questions and queries" shows the same queries with days and a delivery of the sample logs.
struct Question {
    let title: String
    /// The query. A parameter, which a tool lets people fill in, has its usual value.
    let sql: String
    let hasParameters: Bool

    /// The questions, in the order of the file. Its first lines, up to an empty one, are about the file itself.
    static let all = parts.dropFirst().map { part in
        let lines = part.split(separator: "\n")
        let query = lines.drop { $0.hasPrefix("-- ") }.joined(separator: "\n").prefix { $0 != ";" }
        let sql = usual.reduce(String(query)) { $0.replacing($1.key, with: $1.value) }
        return Question(title: String(lines[0].dropFirst(3)), sql: sql, hasParameters: sql != query)
    }

    private static let parts = String(decoding: PackageResources.Questions_sql, as: UTF8.self).split(separator: "\n\n")

    /// SQL for the values that are taken where none are given: the 28 days up to the last log date, and the delivery with the
    /// most messages.
    private static let usual = [
        ":from": "(SELECT date(value, '-27 days') FROM about WHERE key = 'last_log_date')",
        ":to": "(SELECT value FROM about WHERE key = 'last_log_date')",
        ":delivery_id": "(SELECT delivery_id FROM delivery_results ORDER BY messages DESC, delivery_id LIMIT 1)",
    ]
}
