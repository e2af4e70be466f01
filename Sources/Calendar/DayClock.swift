/// Computes the local hour and the calendar day of an instant in a time zone, for instants in any order.
///
/// A flat table caches the hour of each quarter of an hour, so a lookup takes one or two nanoseconds. A time outside
/// `CalendarText.milliseconds` is clamped to that range, and so is an hour of a year without four digits.
///
/// It is public, and not `package`, so that the compiler inlines the lookup into other modules.
public struct DayClock: Sendable {
    /// A quarter of an hour in milliseconds.
    @inlinable static var grain: Int64 { 900_000 }
    /// The slots of the cache, a power of two: the quarters of 42 days.
    @inlinable static var slotCount: Int { 4096 }

    private let zone: ZoneRules
    /// A quarter, counted from the year 0, and its hour. It has the slot (quarter modulo `slotCount`).
    @usableFromInline typealias Slot = (quarter: Int64, hour: LocalHour)
    @usableFromInline var slots: [Slot]

    /// A clock with an empty cache.
    package init(zone: ZoneRules) {
        self.zone = zone
        slots = Array(repeating: (-1, LocalHour(number: 0, offset: 0)), count: DayClock.slotCount)
    }

    /// The local calendar day of `time`, which is in milliseconds since 1970-01-01T00:00:00Z.
    @inlinable @inline(__always)
    public mutating func day(of time: Int64) -> LogDate { hour(of: time).day }

    /// The local hour of `time`, which is in milliseconds since 1970-01-01T00:00:00Z.
    @inlinable @inline(__always)
    public mutating func hour(of time: Int64) -> LocalHour {
        let bounds = CalendarText.milliseconds
        let time = min(max(time, bounds.lowerBound), bounds.upperBound)
        let quarter = (time &- bounds.lowerBound) / DayClock.grain
        let index = Int(truncatingIfNeeded: quarter) & (DayClock.slotCount &- 1)
        let slot = slots[index]
        return slot.quarter == quarter ? slot.hour : look(inQuarter: quarter, slot: index, at: time)
    }

    @usableFromInline @inline(never)
    mutating func look(inQuarter quarter: Int64, slot index: Int, at time: Int64) -> LocalHour {
        let start = CalendarText.milliseconds.lowerBound + quarter * DayClock.grain
        let first = localHour(of: start)
        // Old zone offsets are not whole quarters of an hour, so that an hour can begin within a quarter. Such a
        // quarter is not cached.
        guard first == localHour(of: start + DayClock.grain - 1) else { return localHour(of: time) }
        slots[index] = (quarter, first)
        return first
    }

    private func localHour(of time: Int64) -> LocalHour {
        let second = time.flooredQuotient(by: 1000)
        let offset = zone.offset(at: second)
        let number = Int32((second + offset).flooredQuotient(by: 3600))
        let numbers = LocalHour.numbers
        return LocalHour(number: min(max(number, numbers.lowerBound), numbers.upperBound), offset: Int32(offset))
    }
}
