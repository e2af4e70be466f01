import Foundation

/// The truth as CSV files, the columns those of the output DB without `day_start`, `day_epoch` and `pipeline`, the rows
/// in any order.
extension Truth {
    func write(to folder: String, plan: Plan) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tables = [
            ("daily_actions", actionsTable(plan)), ("daily_funnel", funnelTable()), ("daily_totals", totalsTable()),
            ("hourly_actions", hoursTable()), ("daily_lateness", latenessTable()), ("daily_paths", pathsTable()),
            ("days", daysTable(plan)),
            ("outcomes", outcomesTable()), ("partitions", partitionsTable()), ("deliveries", deliveriesTable()),
            ("delivery_results", deliveryResultsTable()), ("delivery_platforms", deliveryPlatformsTable()),
        ]
        for (name, rows) in tables {
            let path = "\(folder)/\(name).csv"
            let text = rows.map(CSV.line).joined()
            guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
                throw LoggenError.unwritable(path)
            }
        }
    }

    /// Rows in the order of their first `keys` columns, by bytes.
    func sorted(_ rows: [[String]], keys: Int) -> [[String]] {
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
                String(value.duplicates),
            ]
        }
        let header = ["day", "source", "platform", "delivery_id", "action", "events", "duplicates"]
        return [header] + sorted(rows, keys: 5)
    }

    private func funnelTable() -> [[String]] {
        let rows = funnels.map { key, value in
            let rates = [value.clicked, value.opened, value.dismissed].map { Double($0) / Double(value.messages) }
            let ofImpressed =
                value.impressed == 0 ? "" : String(Double(value.openedImpressed) / Double(value.impressed))
            return [key.day.text, key.platform, key.delivery] + value.counts.map { String($0) }
                + rates.map { String($0) } + [ofImpressed]
        }
        let header =
            ["day", "platform", "delivery_id"] + Funnel.columns
            + ["click_rate", "open_rate", "dismiss_rate", "impression_open_rate"]
        return [header] + sorted(rows, keys: 3)
    }

    private func totalsTable() -> [[String]] {
        var totals: [FunnelKey: (Counts, [Int])] = [:]
        let none = (Counts(), Funnel().counts)
        for (key, value) in actions {
            let row = FunnelKey(day: key.day, platform: key.platform, delivery: "")
            totals[row, default: none].0.events += value.events
            totals[row, default: none].0.duplicates += value.duplicates
        }
        for (key, value) in funnels {
            let row = FunnelKey(day: key.day, platform: key.platform, delivery: "")
            totals[row, default: none].1 = zip(totals[row, default: none].1, value.counts).map { $0 + $1 }
        }
        let rows = totals.map { key, value in
            [key.day.text, key.platform]
                + ([value.0.events, value.0.duplicates] + value.1).map { String($0) }
        }
        return [["day", "platform", "events", "duplicates"] + Funnel.columns] + sorted(rows, keys: 2)
    }

    private func hoursTable() -> [[String]] {
        let rows = hours.map { key, value in
            [
                key.day.text, String(key.hour), String(key.start), "\(key.day.text) \(padded(key.hour, 2)):00:00",
                key.source, key.platform, key.action, String(value.events), String(value.duplicates),
            ]
        }
        let header = [
            "day", "hour", "hour_epoch", "hour_start", "source", "platform", "action", "events", "duplicates",
        ]
        return [header] + sorted(rows, keys: 7)
    }

    private func latenessTable() -> [[String]] {
        let rows = lateness.map { key, value in
            [
                key.day.text, key.date.text, String(key.date.number - key.day.number), key.source,
                String(value.events), String(value.duplicates),
            ]
        }
        return [["day", "log_date", "days_late", "source", "events", "duplicates"]] + sorted(rows, keys: 4)
    }

    private func pathsTable() -> [[String]] {
        let rows = paths.map { key, messages in
            [key.day.text, key.platform] + key.happened.map { $0 ? "1" : "0" } + [String(messages)]
        }
        return [["day", "platform"] + Truth.pathActions.map { "has_\($0)" } + ["messages"]] + sorted(rows, keys: 6)
    }

    private func daysTable(_ plan: Plan) -> [[String]] {
        var events: [Day: Int] = [:]
        var messages: [Day: Int] = [:]
        for (key, value) in actions { events[key.day, default: 0] += value.events }
        for (key, value) in funnels { messages[key.day, default: 0] += value.messages }
        let rows = events.keys.sorted().map { day in
            let later = plan.dates.map { $0.number - day.number }.filter { $0 > 0 }
            let isFinal = later.contains { $0 > plan.windowDays }
            let within = later.filter { $0 <= plan.windowDays }.count
            return [
                day.text, String(events[day] ?? 0), String(messages[day] ?? 0), String(within), isFinal ? "1" : "0",
            ]
        }
        return [["day", "events", "messages", "later_log_dates", "final"]] + rows
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
}

extension Truth.Funnel {
    static let columns = [
        "messages", "arrived", "impressed", "clicked", "opened", "dismissed", "opened_without_click",
        "opened_without_impression", "opened_impressed", "opened_seen", "opened_10s", "opened_1m", "opened_5m",
        "opened_1h", "opened_6h", "opened_24h", "opened_72h", "opened_7d",
    ]

    /// In the order of `columns`.
    var counts: [Int] {
        let seconds = [10, 60, 300, 3600, 6 * 3600, 24 * 3600, 72 * 3600, 7 * 24 * 3600]
        return [
            messages, arrived, impressed, clicked, opened, dismissed, openedWithoutClick, openedWithoutImpression,
            openedImpressed, delays.count,
        ] + seconds.map { limit in delays.filter { $0 <= limit * 1000 }.count }
    }
}
