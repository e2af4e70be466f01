import Counting
import Partitions
import SQLite

/// A condition that every row of a table must meet.
struct RowRule {
    let table: Partitions.Table
    /// SQL that is true for a faulty row. It may not be NULL.
    let fault: String
    /// What is wrong with such rows.
    let describe: (_ rows: Int, _ first: String) -> DoctorFault

    /// The faults of a table, found in one pass over it.
    static func faults(_ rules: [RowRule], of table: Partitions.Table, in database: Database) throws -> [DoctorFault] {
        let rules = rules.filter { $0.table.name == table.name }
        guard !rules.isEmpty else { return [] }
        let place = table.key.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
        let sums = rules.map { rule in
            "total(\(rule.fault)), min(CASE WHEN \(rule.fault) THEN \(place) END)"
        }
        // Read the table itself: an index of somebody may differ from it.
        let row = try database.prepare("SELECT \(sums.joined(separator: ", ")) FROM \(table.name) NOT INDEXED")
        guard try row.next() else { return [] }
        return try rules.enumerated().compactMap { index, rule in
            let rows = Int(try row.read(2 * index) as Double)
            guard rows > 0 else { return nil }
            return rule.describe(rows, try row.read(2 * index + 1) ?? "")
        }
    }
}

extension RowRule {
    /// Every value has its column's declared type and form. Counts are not negative.
    static func types(of table: Partitions.Table) -> [RowRule] {
        table.columns.map { column in
            RowRule(table: table, fault: "NOT \(column.condition)") { rows, first in
                .wrongType(
                    table: table.name, column: column.name, type: column.type.rawValue, rows: rows, first: first)
            }
        }
    }

    /// The values of a row agree with one another.
    static func contradictions(in table: Partitions.Table) -> [RowRule] {
        let names = Set(table.columns.map(\.name))
        var rules: [(rule: String, condition: String)] = []
        if names.contains("day_start") {
            rules.append(("day_start is day with 00:00:00", "day_start IS day || ' 00:00:00'"))
            rules.append(("day_epoch is 00:00 UTC of day", "day_epoch IS CAST(strftime('%s', day) AS INTEGER)"))
        }
        switch table.name {
        case "hourly_actions":
            rules.append(("hour is 0 to 23", "hour BETWEEN 0 AND 23"))
            rules.append(("hour_start is day and hour", "hour_start IS day || printf(' %02d:00:00', hour)"))
            // No zone is further than 16 hours from UTC.
            rules.append(
                ("hour_epoch is that hour in some zone", "abs(day_epoch + 3600 * hour - hour_epoch) <= 57600"))
        case "daily_lateness":
            rules.append(
                (
                    "days_late is log_date minus day",
                    "days_late IS CAST(round(julianday(log_date) - julianday(day)) AS INTEGER)"
                ))
        case "calendar": rules += calendar
        case "daily_paths":
            rules += ["has_arrival", "has_impression", "has_click", "has_open"].map {
                ("\($0) is 0 or 1", "\($0) IN (0, 1)")
            }
        case "days": rules.append(("final is 0 or 1", "final IN (0, 1)"))
        case "partitions", "files":
            rules.append(("records is accepted + filtered + rejected", "records = accepted + filtered + rejected"))
            if names.contains("duplicates") {
                rules.append(("accepted is events + duplicates", "accepted = events + duplicates"))
            }
        default: break
        }
        if names.contains("log_date_status") {
            rules.append(
                (
                    "log_date_status is that of partitions",
                    "log_date_status IS (SELECT status FROM partitions WHERE log_date = day)"
                ))
        }
        if names.contains(FunnelColumn.openedSeen.name) { rules += funnel }
        for column in table.columns {
            guard let (part, whole) = column.quotient else { continue }
            let known = column.quotientCondition.map { " AND \($0)" } ?? ""
            rules.append(
                (
                    "\(column.name) is \(part) / \(whole)",
                    "\(column.name) IS CASE WHEN \(whole) <> 0\(known) THEN 1.0 * \(part) / \(whole) END"
                ))
        }
        return rules.map { rule, condition in
            RowRule(table: table, fault: "NOT coalesce(\(condition), 0)") { rows, first in
                .contradiction(table: table.name, rule: rule, rows: rows, first: first)
            }
        }
    }

    private static let calendar: [(rule: String, condition: String)] = [
        ("year is that of day", "year IS CAST(strftime('%Y', day) AS INTEGER)"),
        ("month is that of day", "month IS strftime('%Y-%m', day)"),
        ("week_start is the Monday of day", "week_start IS date(day, '-6 days', 'weekday 1')"),
        (
            "iso_week is the week of day",
            "iso_week IS strftime('%Y-W', week_start, '+3 days') || "
                + "printf('%02d', (strftime('%j', week_start, '+3 days') + 6) / 7)"
        ),
        ("weekday is that of day", "weekday IS (strftime('%w', day) + 6) % 7 + 1"),
        ("is_weekend is 1 on days 6 and 7", "is_weekend IS (weekday > 5)"),
    ]

    /// Each contains the one before.
    private static let timesToOpen =
        FunnelColumn.allCases.filter { $0.openLimit != nil }.map(\.name) + ["opened_seen", "opened"]

    private static let funnel: [(rule: String, condition: String)] = [
        (
            "no more messages are arrived, impressed, clicked or opened than there are",
            "max(arrived, impressed, clicked, opened) <= messages"
        ),
        (
            "dismissed and opened agree with clicked",
            "clicked - dismissed = opened - opened_without_click"
        ),
        (
            "opened_impressed and opened_without_impression make opened",
            "opened_impressed + opened_without_impression = opened"
        ),
        (
            "arrived_unseen are arrived, and neither impressed, clicked nor opened",
            "arrived_unseen <= arrived AND arrived_unseen + max(impressed, clicked, opened) <= messages"
        ),
        (
            "each time to open contains the shorter ones",
            zip(timesToOpen, timesToOpen.dropFirst()).map { "\($0) <= \($1)" }.joined(separator: " AND ")
        ),
    ]
}
