import Partitions

/// A column that the bundle for Superset adds to a table, so that its rows can be filtered and named.
struct SupersetColumn {
    let name: String
    private let type: String
    private let help: String
    /// SQL for the value, of the table `t`.
    private let sql: String

    var definition: JSONText {
        Templates.superset.fill(
            "column",
            [
                "name": .text(name), "type": .text(type), "description": .text(help),
                "isTime": .plain(String(type == "DATE")), "isGroup": .plain("true"),
                "format": .text(type == "DATE" ? "%Y-%m-%d" : nil),
            ])
    }

    /// Names for tables with deliveries; a day for those without one; for days, whether they are loaded, and whether they are
    /// of the last 28.
    static func added(to table: Table) -> [SupersetColumn] {
        let names = Set(table.columns.map(\.name))
        var added: [SupersetColumn] = []
        if names.contains("delivery_id") {
            added = ["label", "campaign", "variant"].filter { !names.contains($0) }.map { name in
                SupersetColumn(name: name, type: "TEXT", help: "The delivery's \(name).", sql: "r.\(name)")
            }
        }
        var day = ["day", "log_date"].first(where: names.contains).map { "t.\($0)" }
        if names.contains("delivery_id"), day == nil {
            day = "coalesce(r.sent_day, r.first_day)"
            let help = "The day on which the delivery was sent, or else its first day in the logs."
            added.append(SupersetColumn(name: "delivery_day", type: "DATE", help: help, sql: day ?? ""))
        }
        if names.contains("day"), !names.contains("log_date_status") {
            let help = "complete or partial; NULL if the log date of the day is not loaded."
            added.append(SupersetColumn(name: "log_date_status", type: "TEXT", help: help, sql: "d.log_date_status"))
        }
        if let day {
            let last = "\(day) BETWEEN \(Question.Parameter.from.usual) AND \(Question.Parameter.to.usual)"
            added.append(
                SupersetColumn(
                    name: "period", type: "TEXT", help: "The 28 days up to the last log date, or the others.",
                    sql: "CASE WHEN \(last) THEN 'last 28 days' ELSE 'other days' END"))
        }
        return added
    }

    /// Nil if nothing is added.
    static func query(of table: Table, with added: [SupersetColumn]) -> String? {
        guard !added.isEmpty else { return nil }
        let columns = ["t.*"] + added.map { "\($0.sql) AS \($0.name)" }
        var query = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) t"
        if added.contains(where: { $0.sql.contains("r.") }) {
            query += " LEFT JOIN delivery_results r ON r.delivery_id = t.delivery_id"
        }
        if added.contains(where: { $0.sql.contains("d.") }) { query += " LEFT JOIN days d ON d.day = t.day" }
        return query
    }
}
