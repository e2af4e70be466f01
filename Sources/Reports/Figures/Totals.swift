import Counting
import Partitions
import SQLite

/// Counts of `daily_totals`, added up.
struct Totals: Equatable {
    private(set) var events = 0
    private(set) var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    /// The report shows no column that settled log dates may lack.
    static let columns = FunnelColumn.allCases.filter { !$0.mayBeUnknown }

    init() {}

    /// A row of one of the questions about totals.
    init(_ row: Statement) throws {
        events = try row.count(3)
        duplicates = try row.count(4)
        try read(row, from: 5)
    }

    /// Reads the columns of the funnel.
    mutating func read(_ row: Statement, from first: Int) throws {
        for (place, column) in Totals.columns.enumerated() { funnel[column.rawValue] = try row.count(first + place) }
    }

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

    func share(_ part: FunnelColumn, of whole: FunnelColumn) -> Proportion {
        Proportion(part: self[part], whole: self[whole])
    }

    /// A rate of sums; nil if there is nothing to divide by.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? { share(part, of: whole).rate }
}
