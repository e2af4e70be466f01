import Calendar
import Events

/// daily_funnel: messages by the day of their first event, platform, delivery and the stages that they reached.
package struct DailyFunnel: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01.
        package var day: Int32
        package var platform: Platform
        package var delivery: UInt32
        package var messages = 0
        package var arrived = 0
        package var impressed = 0
        package var clicked = 0
        package var opened = 0
        package var dismissed = 0
        package var openedWithoutClick = 0
        package var openedWithoutImpression = 0
    }

    /// The number of messages, by row and stages.
    var table = PackedTable<Int>()

    package init() {}

    /// Adds messages with the same first event. `messages` may be negative.
    @inline(__always)
    mutating func add(first: Event, stages: Stages, messages: Int = 1, _ days: inout DayClock) {
        merge(
            messages,
            at: DailyFunnel.key(days.day(of: first.time), first.platform, first.delivery, stages))
    }

    /// The key of a row. A day whose date does not have ten characters is moved to the nearest day that has.
    @inline(__always)
    static func key(_ day: Int32, _ platform: Platform, _ delivery: UInt32, _ stages: Stages) -> PackedKey {
        let day = min(max(day, CalendarText.days.lowerBound), CalendarText.days.upperBound)
        return PackedKey(
            high: UInt64(UInt32(bitPattern: day)) << 32 | UInt64(delivery),
            low: UInt64(platform.rawValue) << 8 | UInt64(stages.rawValue))
    }

    @inline(__always)
    mutating func merge(_ messages: Int, at key: PackedKey) {
        table.update(table.index(of: key, initial: 0)) { $0 &+= messages }
    }

    package mutating func merge(_ other: DailyFunnel) {
        for entry in other.table.entries where entry.value != 0 { merge(entry.value, at: entry.key) }
    }

    /// The rows in the order of (day, platform, delivery).
    package func rows() -> [Row] {
        let entries = table.entries.filter { $0.value != 0 }.sorted { a, b in
            let (dayA, dayB) = (DailyFunnel.day(a.key), DailyFunnel.day(b.key))
            if dayA != dayB { return dayA < dayB }
            let (platformA, platformB) = (a.key.low >> 8, b.key.low >> 8)
            return platformA != platformB ? platformA < platformB : a.key.high < b.key.high
        }
        var rows: [Row] = []
        for entry in entries {
            let day = DailyFunnel.day(entry.key)
            let platform = Platform(rawValue: UInt8(truncatingIfNeeded: entry.key.low >> 8)) ?? .unknown
            let delivery = UInt32(truncatingIfNeeded: entry.key.high)
            if rows.last.map({ $0.day != day || $0.platform != platform || $0.delivery != delivery }) ?? true {
                rows.append(Row(day: day, platform: platform, delivery: delivery))
            }
            rows[rows.count - 1].add(entry.value, Stages(rawValue: UInt8(truncatingIfNeeded: entry.key.low)))
        }
        return rows
    }

    static func day(_ key: PackedKey) -> Int32 {
        Int32(bitPattern: UInt32(key.high >> 32))
    }
}

extension DailyFunnel.Row {
    fileprivate mutating func add(_ count: Int, _ stages: Stages) {
        messages += count
        if stages.contains(.arrived) { arrived += count }
        if stages.contains(.impressed) { impressed += count }
        if stages.contains(.clicked) { clicked += count }
        if stages.isDismissed { dismissed += count }
        guard stages.contains(.opened) else { return }
        opened += count
        if !stages.contains(.clicked) { openedWithoutClick += count }
        if !stages.contains(.impressed) { openedWithoutImpression += count }
    }
}
