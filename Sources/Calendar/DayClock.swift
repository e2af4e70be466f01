import Foundation

/// Tells the calendar day of an instant in a time zone, for instants in any order. It remembers the day of each quarter of
/// an hour in a flat table, so that a day costs a nanosecond or two. A time whose date has no text of ten characters is
/// moved to the nearest that has one.
package struct DayClock: Sendable {
    @inlinable static var grain: Int64 { 900_000 }
    /// Quarters of an hour of 42 days; a power of two.
    @inlinable static var slotCount: Int { 4096 }

    private let zone: TimeZone
    /// By quarter modulo the count: the quarter that the slot holds, counted from the year 0, and its day.
    @usableFromInline var quarters: [Int64]
    @usableFromInline var days: [Int32]

    package init(zone: TimeZone) {
        self.zone = zone
        quarters = Array(repeating: -1, count: DayClock.slotCount)
        days = Array(repeating: 0, count: DayClock.slotCount)
    }

    /// Looks at some log dates, and the days before and after them, at once.
    package init(zone: TimeZone, around logDates: [Int32]) {
        self.init(zone: zone)
        for logDate in logDates {
            let start = Int64(logDate) * 86_400_000
            for time in stride(from: start - 86_400_000, to: start + 2 * 86_400_000, by: Int(DayClock.grain)) {
                _ = day(of: time)
            }
        }
    }

    /// Days since 1970-01-01 of the local calendar day that holds `time`, in milliseconds since the epoch.
    @inlinable @inline(__always)
    package mutating func day(of time: Int64) -> Int32 {
        let bounds = CalendarText.milliseconds
        let time = min(max(time, bounds.lowerBound), bounds.upperBound)
        let quarter = (time &- bounds.lowerBound) / DayClock.grain
        let slot = Int(truncatingIfNeeded: quarter) & (DayClock.slotCount &- 1)
        return quarters[slot] == quarter ? days[slot] : look(quarter, slot, time)
    }

    @usableFromInline @inline(never)
    mutating func look(_ quarter: Int64, _ slot: Int, _ time: Int64) -> Int32 {
        let start = CalendarText.milliseconds.lowerBound + quarter * DayClock.grain
        let first = localDay(of: start)
        // Before zones had offsets of whole quarters, a day could begin within one: such a quarter is not remembered.
        guard first == localDay(of: start + DayClock.grain - 1) else { return localDay(of: time) }
        quarters[slot] = quarter
        days[slot] = first
        return first
    }

    private func localDay(of time: Int64) -> Int32 {
        let second = (time - 999 * (time < 0 ? 1 : 0)) / 1000
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
        let local = time + Int64(offset) * 1000
        return Int32(local / 86_400_000 - (local % 86_400_000 < 0 ? 1 : 0))
    }
}
