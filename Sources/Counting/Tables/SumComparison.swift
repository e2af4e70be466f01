import Events

/// Adds up the rows of two tables by a key that both have, and compares the sums.
struct SumComparison {
    private let tables: [String]
    private let columns: Int
    /// By key: the index of its first sum in `sums`.
    private var starts = PackedTable<Int>()
    /// Sums of the first table, less those of the second.
    private var sums: [Int] = []

    init(_ first: String, _ second: String, columns: Int = 2) {
        tables = [first, second]
        self.columns = columns
    }

    mutating func add(_ counts: EventCounts, at key: PackedKey) {
        let start = start(key)
        sums[start] += counts.events
        sums[start + 1] += counts.duplicates
    }

    mutating func subtract(_ counts: EventCounts, at key: PackedKey) {
        add(EventCounts(events: -counts.events, duplicates: -counts.duplicates), at: key)
    }

    /// - Parameter counts: one for each column.
    mutating func add(_ counts: [Int], at key: PackedKey) {
        let start = start(key)
        for column in counts.indices { sums[start + column] += counts[column] }
    }

    mutating func subtract(_ counts: [Int], at key: PackedKey) {
        let start = start(key)
        for column in counts.indices { sums[start + column] -= counts[column] }
    }

    private mutating func start(_ key: PackedKey) -> Int {
        let index = starts.index(of: key, initial: sums.count)
        let start = starts.entries[index].value
        if start == sums.count { sums += repeatElement(0, count: columns) }
        return start
    }

    func check() throws(TableDisagreement) {
        for entry in starts.entries where sums[entry.value..<entry.value + columns].contains(where: { $0 != 0 }) {
            throw TableDisagreement(day: DailyActions.Row(entry.key).day, tables: tables)
        }
    }
}
