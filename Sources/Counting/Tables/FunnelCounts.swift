/// The number of messages in each column of daily_funnel.
package struct FunnelCounts: Equatable, Sendable {
    /// In the order of `FunnelColumn`.
    package private(set) var all = Array(repeating: 0, count: FunnelColumn.allCases.count)

    /// By outcome: the columns that count a message with it.
    private static let columns: [[Int]] = (0..<MessageOutcome.count).map { outcome in
        let outcome = MessageOutcome(rawValue: UInt16(outcome))
        return FunnelColumn.allCases.filter { $0.counts(outcome) }.map(\.rawValue)
    }

    package init() {}

    package subscript(column: FunnelColumn) -> Int {
        get { all[column.rawValue] }
        set { all[column.rawValue] = newValue }
    }

    var areCounts: Bool { all.allSatisfy { (0..<1 << 60).contains($0) } }

    mutating func add(_ messages: Int, of outcome: MessageOutcome) {
        for column in FunnelCounts.columns[Int(outcome.rawValue)] { all[column] += messages }
    }

    package static func += (sum: inout FunnelCounts, counts: FunnelCounts) {
        for column in sum.all.indices { sum.all[column] += counts.all[column] }
    }
}
