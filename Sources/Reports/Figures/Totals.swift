import Counting
import Partitions
import SQLite

/// Counts of events and of messages, added up.
struct Totals: Equatable {
    /// Only known by day and platform, not by delivery.
    private(set) var events = 0
    private(set) var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    /// All funnel columns except those that settled log dates may lack, which the report does not show.
    static let columns = FunnelColumn.allCases.filter { !$0.mayBeUnknown }

    init() {}

    /// - Parameter columns: the columns of the row, from index `first` on. All other counts stay 0.
    init(_ row: Statement, from first: Int, columns: [FunnelColumn] = Totals.columns) throws {
        for (place, column) in columns.enumerated() { funnel[column.rawValue] = try row.count(first + place) }
    }

    /// A row of one of the questions about totals.
    init(ofDay row: Statement) throws {
        try self.init(row, from: 4)
        events = try row.count(2)
        duplicates = try row.count(3)
    }

    static func sum(_ all: some Sequence<Totals>) -> Totals { all.reduce(into: Totals()) { $0 += $1 } }

    static func inUsualOrder(_ platforms: Set<String>) -> [String] {
        let usual = ["android", "ios", "web", "unknown"]
        return usual.filter(platforms.contains) + platforms.subtracting(usual).sorted()
    }

    subscript(column: FunnelColumn) -> Int { funnel[column.rawValue] }

    static func += (a: inout Totals, b: Totals) {
        a.events += b.events
        a.duplicates += b.duplicates
        for index in a.funnel.indices { a.funnel[index] += b.funnel[index] }
    }

    /// The totals minus others.
    func without(_ others: Totals) -> Totals {
        var rest = self
        for index in funnel.indices { rest.funnel[index] -= others.funnel[index] }
        return rest
    }

    func share(_ part: FunnelColumn, of whole: FunnelColumn) -> Proportion {
        Proportion(part: self[part], whole: self[whole])
    }

    /// The rate of two sums; nil if the whole is 0.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? { share(part, of: whole).rate }

    /// Opened of messages.
    var openRate: Double? { rate(.opened, of: .messages) }

    /// The number of messages that people may have seen: impressed, opened without impression, or arrived unseen.
    var seen: Int { self[.impressed] + self[.openedWithoutImpression] + self[.arrivedUnseen] }
}

extension [FunnelColumn] {
    /// The columns to show. Sends, failures and arrivals are left out if no totals have any, since only some sources
    /// log them.
    func told(in totals: [Totals]) -> [FunnelColumn] {
        filter { column in ![.sent, .failed, .arrived].contains(column) || totals.contains { $0[column] > 0 } }
    }
}
