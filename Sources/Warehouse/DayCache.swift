import Events
import Foundation

/// A day clock for events in any order: remembers the day of each quarter of an hour in a flat table, so that a day
/// costs a nanosecond or two. Times without a ten-character date are moved to the nearest that has one.
package struct DayCache {
    private static let grain: Int64 = 900_000
    /// Quarters of an hour of 42 days; a power of two.
    private static let slotCount = 4096

    private var clock: DayClock
    /// By quarter modulo the count: the quarter that the slot holds, counted from the year 0, and its day.
    private var slots: [(quarter: Int64, day: Int32)]

    package init(zone: TimeZone) {
        clock = DayClock(zone: zone)
        slots = Array(repeating: (-1, 0), count: DayCache.slotCount)
    }

    /// Days since 1970-01-01 of the local calendar day that holds `time`, in milliseconds since the epoch.
    @inline(__always)
    package mutating func day(of time: Int64) -> Int32 {
        let bounds = CalendarText.milliseconds
        let time = min(max(time, bounds.lowerBound), bounds.upperBound)
        let quarter = (time &- bounds.lowerBound) / DayCache.grain
        let slot = Int(truncatingIfNeeded: quarter) & (DayCache.slotCount &- 1)
        let held = slots[slot]
        return held.quarter == quarter ? held.day : look(quarter, slot, time)
    }

    @inline(never)
    private mutating func look(_ quarter: Int64, _ slot: Int, _ time: Int64) -> Int32 {
        let start = CalendarText.milliseconds.lowerBound + quarter * DayCache.grain
        let first = clock.day(of: start)
        // Before zones had offsets of whole quarters, a day could begin within one: such a quarter is not remembered.
        guard first == clock.day(of: start + DayCache.grain - 1) else { return clock.day(of: time) }
        slots[slot] = (quarter, first)
        return first
    }
}
