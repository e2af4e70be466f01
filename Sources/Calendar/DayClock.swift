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

/// An hour of local time. Where clocks are set back, two hours have the same number and different offsets.
public struct LocalHour: Equatable, BitwiseCopyable, Sendable {
    /// Hours of local time since 1970-01-01 00:00.
    public let number: Int32
    /// Seconds east of Greenwich.
    public let offset: Int32

    @inlinable @inline(__always)
    public init(number: Int32, offset: Int32) {
        self.number = number
        self.offset = offset
    }
}

extension LocalHour {
    /// The hours of the days with a text of ten characters.
    package static var numbers: ClosedRange<Int32> {
        LogDate.written.lowerBound.number * 24...LogDate.written.upperBound.number * 24 + 23
    }

    @inlinable @inline(__always)
    public var day: LogDate {
        // All numbers are above this one, so the quotient is rounded down.
        let first = LogDate.written.lowerBound.number
        return LogDate(number: Int32(bitPattern: UInt32(bitPattern: number &- first &* 24) / 24) &+ first)
    }

    /// The hour of the same offset with which its day begins.
    package var startOfDay: LocalHour { LocalHour(number: day.number * 24, offset: offset) }

    /// 0 to 23.
    package var ofDay: Int32 { number - day.number * 24 }

    /// The Unix time in seconds at which the hour began, by its offset.
    package var epoch: Int64 { Int64(number) * 3600 - Int64(offset) }
}
