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
