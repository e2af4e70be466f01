/// A cell of a database table.
package enum Cell: Hashable, Comparable, CustomStringConvertible {
    case null
    case integer(Int)
    case real(Double)
    case text(Bytes)

    package static func text(_ text: String) -> Cell {
        .text(Bytes(text))
    }

    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let bytes): "'\(bytes.text)'"
        }
    }

    /// Without quotes, and empty for NULL.
    package var plain: String {
        if case .text(let bytes) = self { return bytes.text }
        return self == .null ? "" : description
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        }
    }

    package static func < (a: Cell, b: Cell) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: a.rank < b.rank
        }
    }
}

package typealias OutputRow = [Cell]

/// A table with the columns that are compared. Its rows are ordered by their cells.
package struct OutputTable: Equatable {
    package var name: String
    package var columns: [String]
    package var rows: [OutputRow]

    package init(_ name: String, _ columns: [String], _ rows: [OutputRow]) {
        self.name = name
        self.columns = columns
        self.rows = rows.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// The columns that are compared.
package enum Columns {
    private static let day = ["day", "day_start", "day_epoch"]
    private static let counts = ["events", "duplicates"]
    private static let funnel = Message.funnel.map(\.name)

    package static let dailyActions = day + ["log_date", "source", "platform", "delivery_id", "action"] + counts
    package static let dailyFunnel =
        day + ["log_date", "platform", "delivery_id"] + funnel
    package static let dailyTotals =
        day + ["platform"] + counts + funnel
        + ["clicked_of_messages", "opened_of_messages", "dismissed_of_messages", "opened_of_impressed"]
    package static let hourlyActions =
        day + ["log_date", "hour", "hour_epoch", "hour_start", "source", "platform", "action"] + counts
    package static let dailyPaths =
        day + ["log_date", "platform", "has_arrival", "has_impression", "has_click", "has_open", "messages"]
    private static let names = ["delivery_id", "label", "campaign", "variant", "sent_at"]
    private static let rates = [
        "failed_of_sent", "arrived_of_sent", "impressed_of_sent", "clicked_of_sent", "opened_of_sent",
    ]
    private static let results = ["sent", "sent_from", "delivered"] + funnel.filter { $0 != "sent" } + rates
    package static let deliveries = names + ["in_file", "first_day", "last_day"]
    package static let deliveryResults =
        names + ["sent_day", "first_day", "last_day"] + results
    package static let deliveryPlatforms = ["delivery_id", "platform"] + results
    package static let days = day + ["log_date_status", "events", "messages", "later_log_dates", "final"]
    package static let calendar =
        day + ["log_date_status", "year", "month", "iso_week", "week_start", "weekday", "is_weekend"]
    package static let changes = [
        "number", "log_dates", "day", "events_before", "events_after", "messages_before", "messages_after",
        "opened_before", "opened_after",
    ]
    package static let about = ["key", "value"]
    package static let partitions = [
        "log_date", "status", "files", "records", "accepted", "filtered", "rejected", "events", "duplicates",
        "clock_fallback",
    ]
    package static let files = [
        "log_date", "source", "path", "bytes", "status", "records", "accepted", "filtered", "rejected",
    ]
    package static let outcomes = ["log_date", "source", "outcome", "reason", "records"]
    package static let rejects = ["source", "path", "line", "reason"]
}
