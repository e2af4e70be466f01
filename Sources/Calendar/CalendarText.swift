/// The text of days and instants in the databases: `2026-11-19` and `2026-11-19 07:00:00` (UTC).
public enum CalendarText {
    /// The instants of the days in `LogDate.written`, in milliseconds since 1970-01-01T00:00:00Z.
    @inlinable public static var milliseconds: ClosedRange<Int64> { -62_167_219_200_000...253_402_300_799_999 }

    /// `YYYY-MM-DD`
    static func date(of day: LogDate) -> String {
        String(unsafeUninitializedCapacity: 10) { bytes in
            put(day: day, in: bytes)
            return 10
        }
    }

    /// `YYYY-MM-DD HH:MM:SS` in UTC, rounded down to the second. A time outside `milliseconds` is clamped to that
    /// range.
    package static func dateTime(ofMilliseconds time: Int64) -> String {
        let second = min(max(time, milliseconds.lowerBound), milliseconds.upperBound).flooredQuotient(by: 1000)
        let day = second.flooredQuotient(by: 86_400)
        let rest = Int(second - day * 86_400)
        return String(unsafeUninitializedCapacity: 19) { bytes in
            put(day: LogDate(dayNumber: Int(day)), in: bytes)
            bytes[10] = UInt8(ascii: " ")
            put(twoDigits: rest / 3600, in: bytes, at: 11)
            bytes[13] = UInt8(ascii: ":")
            put(twoDigits: rest / 60 % 60, in: bytes, at: 14)
            bytes[16] = UInt8(ascii: ":")
            put(twoDigits: rest % 60, in: bytes, at: 17)
            return 19
        }
    }

    /// The same in a time zone.
    package static func dateTime(ofMilliseconds time: Int64, in zone: ZoneRules) -> String {
        dateTime(ofMilliseconds: time + zone.offset(at: time.flooredQuotient(by: 1000)) * 1000)
    }

    /// The day of `YYYY-MM-DD`; nil for any other text and for a date that does not exist.
    package static func day(of text: String) -> LogDate? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        var numbers: [Int] = []
        for range in [0..<4, 5..<7, 8..<10] {
            var number = 0
            for byte in bytes[range] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            numbers.append(number)
        }
        return CivilCalendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]).map(LogDate.init)
    }

    /// The week of ISO 8601, such as `2026-W47`.
    package static func isoWeek(of day: LogDate) -> String {
        let (year, week) = CivilCalendar.isoWeek(ofDayNumber: day.dayNumber)
        // The first two days of the year 0 belong to a week of the year before.
        let digits = String(max(year, 0))
        return String(repeating: "0", count: 4 - digits.count) + digits + (week < 10 ? "-W0" : "-W") + String(week)
    }

    private static func put(day: LogDate, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        let date = CivilCalendar.date(ofDayNumber: day.nearestWritten.dayNumber)
        put(twoDigits: date.year / 100, in: bytes, at: 0)
        put(twoDigits: date.year % 100, in: bytes, at: 2)
        bytes[4] = UInt8(ascii: "-")
        put(twoDigits: date.month, in: bytes, at: 5)
        bytes[7] = UInt8(ascii: "-")
        put(twoDigits: date.day, in: bytes, at: 8)
    }

    private static func put(twoDigits value: Int, in bytes: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        bytes[index] = 0x30 + UInt8(value / 10)
        bytes[index + 1] = 0x30 + UInt8(value % 10)
    }
}
