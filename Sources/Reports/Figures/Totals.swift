import Counting
import Partitions
import SQLite

/// Counts of events and of messages, added up.
struct Totals: Equatable {
    /// Of a day and platform alone: they are not told apart by delivery.
    private(set) var events = 0
    private(set) var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    /// The report shows no column that settled log dates may lack.
    static let columns = FunnelColumn.allCases.filter { !$0.mayBeUnknown }

    init() {}

    /// - Parameter columns: those that a row has, from `first` on. The others stay 0.
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

    /// The messages without some of them.
    func without(_ others: Totals) -> Totals {
        var rest = self
        for index in funnel.indices { rest.funnel[index] -= others.funnel[index] }
        return rest
    }

    func share(_ part: FunnelColumn, of whole: FunnelColumn) -> Proportion {
        Proportion(part: self[part], whole: self[whole])
    }

    /// A rate of sums; nil if there is nothing to divide by.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? { share(part, of: whole).rate }

    /// Opened of messages.
    var openRate: Double? { rate(.opened, of: .messages) }

    /// Messages that were impressed, opened, or arrived unseen.
    var seen: Int { self[.impressed] + self[.openedWithoutImpression] + self[.arrivedUnseen] }
}

extension [FunnelColumn] {
    /// Those that are told of: sends, failures and arrivals only if some totals have any, because only some sources log them.
    func told(in totals: [Totals]) -> [FunnelColumn] {
        filter { column in ![.sent, .failed, .arrived].contains(column) || totals.contains { $0[column] > 0 } }
    }
}
