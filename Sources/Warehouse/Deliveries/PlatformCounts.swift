import Counting
import Events

/// The counts of daily_funnel of one delivery, by platform.
struct PlatformCounts {
    /// The columns of a row, from its platform on.
    static let columns = ["platform"] + FunnelColumn.allCases.map(\.name)

    private static let names = Platform.allCases.map { (text: $0.name, platform: $0) }
    private static let width = FunnelColumn.allCases.count

    /// For each platform, in the order of its number: the counts in the order of `FunnelColumn`. Empty if all are 0.
    private var counts: [Int] = []

    /// The platform that a row names; nil for another text.
    static func platform(_ row: RowStatement, column: Int32) -> Platform? {
        names.first { row.compare($0.text.utf8.span, column: column) == 0 }?.platform
    }

    /// In the order of `FunnelColumn`. Nil if there are no messages.
    subscript(platform: Platform) -> ArraySlice<Int>? {
        let start = Int(platform.rawValue) * PlatformCounts.width
        guard !counts.isEmpty, counts[start + FunnelColumn.messages.rawValue] != 0 else { return nil }
        return counts[start..<start + PlatformCounts.width]
    }

    /// Adds a row with `columns`, the first of which has this index.
    mutating func add(_ row: RowStatement, from column: Int32) {
        guard let platform = PlatformCounts.platform(row, column: column) else { return }
        add(row, platform, from: column + 1)
    }

    /// Adds a row of a platform whose counts begin with this column.
    mutating func add(_ row: RowStatement, _ platform: Platform, from column: Int32) {
        allocate()
        let start = Int(platform.rawValue) * PlatformCounts.width
        // In a push.db that somebody has changed, a sum may overflow. What it becomes is not what the partitions say.
        for index in 0..<PlatformCounts.width { counts[start + index] &+= Int(row.number(column + Int32(index))) }
    }

    static func += (sum: inout PlatformCounts, other: PlatformCounts) { sum.combine(other, &+) }
    static func -= (sum: inout PlatformCounts, other: PlatformCounts) { sum.combine(other, &-) }

    private mutating func combine(_ other: PlatformCounts, _ operation: (Int, Int) -> Int) {
        if other.counts.isEmpty { return }
        allocate()
        for index in counts.indices { counts[index] = operation(counts[index], other.counts[index]) }
    }

    private mutating func allocate() {
        if counts.isEmpty { counts = Array(repeating: 0, count: Platform.allCases.count * PlatformCounts.width) }
    }
}
