import Counting

/// Counts of `daily_totals`, added up.
struct Totals: Equatable {
    var events = 0
    var duplicates = 0
    private var funnel = [Int](repeating: 0, count: FunnelColumn.allCases.count)

    subscript(column: FunnelColumn) -> Int {
        get { funnel[column.rawValue] }
        set { funnel[column.rawValue] = newValue }
    }

    static func += (a: inout Totals, b: Totals) {
        a.events += b.events
        a.duplicates += b.duplicates
        for column in FunnelColumn.allCases { a[column] += b[column] }
    }

    /// A rate of sums; nil if there is nothing to divide by.
    func rate(_ part: FunnelColumn, of whole: FunnelColumn) -> Double? {
        self[whole] > 0 ? Double(self[part]) / Double(self[whole]) : nil
    }
}
