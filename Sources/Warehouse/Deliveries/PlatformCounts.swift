import Counting
import Events
import SQLite

/// The counts of daily_funnel of one delivery, by platform.
struct PlatformCounts: Sendable {
    /// The columns of a row.
    static let columns = ["platform"] + FunnelColumn.allCases.map(\.name)

    private static let names = Platform.allCases.map { (text: $0.name, platform: $0) }
    private static let width = FunnelColumn.allCases.count

    /// For each platform, in the order of its number: the counts in the order of `FunnelColumn`. Empty if all are 0.
    private var counts: [Int] = []

    /// In the order of `FunnelColumn`. Nil if there are no messages.
    subscript(platform: Platform) -> ArraySlice<Int>? {
        let start = Int(platform.rawValue) * PlatformCounts.width
        guard !counts.isEmpty, counts[start + FunnelColumn.messages.rawValue] != 0 else { return nil }
        return counts[start..<start + PlatformCounts.width]
    }

    /// Adds a row with `columns`.
    mutating func add(_ row: Statement) {
        let platform = PlatformCounts.names.first { row.compare($0.text.utf8.span, column: 0) == 0 }?.platform
        if let platform { add(platform) { Int(row.number(Int32($0 + 1))) } }
    }

    mutating func add(_ row: FunnelCounts, _ platform: Platform) { add(platform) { row.all[$0] } }

    static func += (sum: inout PlatformCounts, other: PlatformCounts) {
        if other.counts.isEmpty { return }
        for platform in Platform.allCases {
            let start = Int(platform.rawValue) * width
            sum.add(platform) { other.counts[start + $0] }
        }
    }

    private mutating func add(_ platform: Platform, _ count: (Int) -> Int) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Platform.allCases.count * PlatformCounts.width) }
        let start = Int(platform.rawValue) * PlatformCounts.width
        // In a push.db that somebody has changed, a sum may overflow. What it becomes is not what the partitions say.
        for index in 0..<PlatformCounts.width { counts[start + index] &+= count(index) }
    }
}
