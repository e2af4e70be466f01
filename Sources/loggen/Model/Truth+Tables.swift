import Foundation

/// The truth as CSV files, the columns those of the output DB without `day_epoch` and `pipeline`, the rows in the
/// order of the primary keys.
extension Truth {
    func write(to folder: String, plan: Plan) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tables = [
            ("daily_actions", actionsTable(plan)), ("daily_funnel", funnelTable()), ("days", daysTable(plan)),
            ("outcomes", outcomesTable()), ("partitions", partitionsTable()),
        ]
        for (name, rows) in tables {
            let path = "\(folder)/\(name).csv"
            let text = rows.map { $0.map(Self.quoted).joined(separator: ",") + "\n" }.joined()
            guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
                throw LoggenError.unwritable(path)
            }
        }
    }

    private static func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return value }
        return "\"\(value.replacing("\"", with: "\"\""))\""
    }

    /// Rows in the order of their first `keys` columns, by bytes.
    private func sorted(_ rows: [[String]], keys: Int) -> [[String]] {
        rows.sorted { left, right in
            for column in 0..<keys where left[column] != right[column] {
                return left[column].utf8.lexicographicallyPrecedes(right[column].utf8)
            }
            return false
        }
    }

    private func actionsTable(_ plan: Plan) -> [[String]] {
        let rows = actions.map { key, value in
            [
                key.day.text, key.source, key.platform, key.delivery, key.action, String(value.events),
                String(value.duplicates), value.firstAt.map(timestamp) ?? "", value.lastAt.map(timestamp) ?? "",
            ]
        }
        let header = [
            "day", "source", "platform", "delivery_id", "action", "events", "duplicates", "first_at", "last_at",
        ]
        return [header] + sorted(rows, keys: 5)
    }

    private func funnelTable() -> [[String]] {
        let rows = funnels.map { key, value in
            let counts = [
                value.messages, value.arrived, value.impressed, value.clicked, value.opened, value.dismissed,
                value.openedWithoutClick, value.openedWithoutImpression,
            ]
            let rates = [value.clicked, value.opened, value.dismissed].map { Double($0) / Double(value.messages) }
            return [key.day.text, key.platform, key.delivery] + counts.map { String($0) } + rates.map { String($0) }
        }
        let header = [
            "day", "platform", "delivery_id", "messages", "arrived", "impressed", "clicked", "opened", "dismissed",
            "opened_without_click", "opened_without_impression", "click_rate", "open_rate", "dismiss_rate",
        ]
        return [header] + sorted(rows, keys: 3)
    }

    private func daysTable(_ plan: Plan) -> [[String]] {
        var events: [Day: Int] = [:]
        var messages: [Day: Int] = [:]
        for (key, value) in actions { events[key.day, default: 0] += value.events }
        for (key, value) in funnels { messages[key.day, default: 0] += value.messages }
        let rows = events.keys.sorted().map { day in
            let isFinal = plan.dates.contains { $0.number - day.number > plan.windowDays }
            return [day.text, String(events[day] ?? 0), String(messages[day] ?? 0), isFinal ? "1" : "0"]
        }
        return [["day", "events", "messages", "final"]] + rows
    }

    private func outcomesTable() -> [[String]] {
        let rows = partitions.flatMap { partition in
            partition.counts.flatMap { source, counts in
                counts.map { meaning, records in
                    [partition.date.text, source, meaning.outcome, meaning.reason, String(records)]
                }
            }
        }
        return [["log_date", "source", "outcome", "reason", "records"]] + sorted(rows, keys: 4)
    }

    private func partitionsTable() -> [[String]] {
        let rows = partitions.map { partition in
            let counts = ["accepted", "filtered", "rejected"].map(partition.records)
            let events = partition.events.count
            let before = [partition.files, counts.reduce(0, +)]
            let after = [events, counts[0] - events, partition.clockFallbacks]
            return [partition.date.text, "complete"] + (before + counts + after).map { String($0) }
        }
        let header = [
            "log_date", "status", "files", "records", "accepted", "filtered", "rejected", "events", "duplicates",
            "clock_fallback",
        ]
        return [header] + rows
    }

    /// `2026-11-19 10:22:33` in UTC, cut to the second.
    private func timestamp(_ milliseconds: Int) -> String {
        let second = floorDivide(milliseconds, 1000)
        let day = Day(number: floorDivide(second, 86_400))
        let ofDay = second - day.number * 86_400
        return "\(day.text) \(padded(ofDay / 3600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
    }
}
