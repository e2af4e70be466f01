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
        CalendarText.days.lowerBound * 24...CalendarText.days.upperBound * 24 + 23
    }

    /// The calendar day, as days since 1970-01-01.
    @inlinable @inline(__always)
    public var day: Int32 {
        // All numbers are above this one, so the quotient is rounded down.
        let first = CalendarText.days.lowerBound
        return Int32(bitPattern: UInt32(bitPattern: number &- first &* 24) / 24) &+ first
    }

    /// 0 to 23.
    package var ofDay: Int32 { number - day * 24 }

    /// The Unix time in seconds at which the hour began, by its offset.
    package var epoch: Int64 { Int64(number) * 3600 - Int64(offset) }
}
