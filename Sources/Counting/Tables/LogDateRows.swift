import Calendar
import Events

/// What a log date contributes: its rows of the four tables that have rows for each log date. Names are the numbers of
/// its partition.
package struct LogDateRows: Sendable {
    /// A row of daily_funnel.
    package struct Funnel: Sendable {
        package let day: LogDate
        package let platform: Platform
        package let delivery: UInt32
        package let counts: FunnelCounts
    }

    /// A row of daily_paths.
    package struct Path: Sendable {
        package let day: LogDate
        package let platform: Platform
        /// Their path.
        package let stages: Stages
        package let messages: Int
    }

    private var daily = ActionCounts(by: .day)
    private var hourly = ActionCounts(by: .hour)
    private var messages = PackedTable<FunnelCounts>()
    private var stages = PackedTable<Int>()
    /// Columns of daily_funnel that these rows do not know: they were fixed by a version of the program that had no
    /// such column.
    package var unknown: Set<FunnelColumn> = []

    package init() {}

    package init(_ tables: DailyTables) {
        self.init()
        add(tables)
    }

    /// Adds what was counted, or corrections, whose counts may be negative.
    package mutating func add(_ tables: DailyTables) {
        daily.merge(tables.daily)
        hourly.merge(tables.hourly)
        for entry in tables.funnel.table.entries where entry.value != 0 {
            let (platform, outcome) = DailyFunnel.parts(entry.key)
            let row = messages.index(of: key(entry.key, platform: platform), initial: FunnelCounts())
            messages.update(at: row) { $0.add(entry.value, of: outcome) }
            let path = stages.index(of: key(entry.key, platform: platform, stages: outcome.stages.path), initial: 0)
            stages.update(at: path) { $0 += entry.value }
        }
    }

    private func key(_ key: PackedKey, platform: Platform) -> PackedKey {
        PackedKey(number: key.number, rest: key.rest, low: UInt64(platform.rawValue))
    }

    private func key(_ key: PackedKey, platform: Platform, stages: Stages) -> PackedKey {
        PackedKey(number: key.number, rest: 0, low: UInt64(platform.rawValue) << 8 | UInt64(stages.rawValue))
    }

    // MARK: The rows in the order of their keys; those of `all…` may count nothing

    package var actions: [ActionCounts.Row] { allActions.filter { $0.counts != EventCounts() } }
    package var allActions: [ActionCounts.Row] { daily.rows() }

    package var hours: [ActionCounts.Row] { allHours.filter { $0.counts != EventCounts() } }
    package var allHours: [ActionCounts.Row] { hourly.rows() }

    package var funnel: [Funnel] { allFunnel.filter { $0.counts[.messages] != 0 } }
    package var allFunnel: [Funnel] {
        messages.sortedEntries.map { entry in
            Funnel(
                day: entry.key.day, platform: platform(entry.key.low), delivery: entry.key.rest, counts: entry.value)
        }
    }

    package var paths: [Path] {
        stages.sortedEntries.lazy.filter { $0.value != 0 }.map { entry in
            Path(
                day: entry.key.day, platform: platform(entry.key.low >> 8),
                stages: Stages(rawValue: UInt8(truncatingIfNeeded: entry.key.low)), messages: entry.value)
        }
    }

    private func platform(_ number: UInt64) -> Platform {
        Platform(rawValue: UInt8(truncatingIfNeeded: number)) ?? .unknown
    }
}

// Rows as numbers, as a partition has them.

extension LogDateRows {
    /// Adds a row of daily_actions: day, delivery, source, action, platform, events, duplicates.
    package mutating func addAction(_ numbers: InlineArray<7, Int64>, names: EventNames) throws(UnknownNumber) {
        try daily.add(numbers, names: names)
    }

    /// Adds a row of hourly_actions: hour and offset as of `LocalHour`, source, action, platform, events, duplicates.
    package mutating func addHour(_ numbers: InlineArray<7, Int64>, names: EventNames) throws(UnknownNumber) {
        try hourly.add(numbers, names: names)
    }

    package mutating func addFunnel(
        day: Int64, delivery: Int64, platform: Int64, counts: FunnelCounts, names: EventNames
    ) throws(UnknownNumber) {
        guard (0..<Int64(names.deliveries.count)).contains(delivery), counts.areCounts else { throw UnknownNumber() }
        let day = try LogDateRows.day(day)
        let platform = try LogDateRows.platform(platform)
        let row = PackedKey(day: day, rest: UInt32(truncatingIfNeeded: delivery), low: UInt64(platform.rawValue))
        messages.update(at: messages.index(of: row, initial: FunnelCounts())) { $0 += counts }
    }

    package mutating func addPath(
        day: Int64, platform: Int64, path: Stages, messages: Int64
    ) throws(UnknownNumber) {
        guard (0..<1 << 60).contains(messages) else { throw UnknownNumber() }
        let day = try LogDateRows.day(day)
        let platform = try LogDateRows.platform(platform)
        let row = PackedKey(day: day, rest: 0, low: UInt64(platform.rawValue) << 8 | UInt64(path.rawValue))
        stages.update(at: stages.index(of: row, initial: 0)) { $0 += Int(messages) }
    }

    private static func day(_ number: Int64) throws(UnknownNumber) -> LogDate {
        let day = LogDate(dayNumber: Int(number))
        guard LogDate.written.contains(day) else { throw UnknownNumber() }
        return day
    }

    private static func platform(_ number: Int64) throws(UnknownNumber) -> Platform {
        guard let platform = UInt8(exactly: number).flatMap(Platform.init(rawValue:)) else { throw UnknownNumber() }
        return platform
    }
}
