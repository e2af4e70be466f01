/// The text of instants in the databases: `2026-11-19 07:00:00` (UTC).
public enum CalendarText {
    /// The instants of the days in `LogDate.written`, in milliseconds since 1970-01-01T00:00:00Z.
    @inlinable public static var milliseconds: ClosedRange<Int64> { -62_167_219_200_000...253_402_300_799_999 }

    /// `YYYY-MM-DD HH:MM:SS` in UTC, rounded down to the second. A time outside `milliseconds` is clamped to that
    /// range.
    package static func dateTime(ofMilliseconds time: Int64) -> String {
        let second = min(max(time, milliseconds.lowerBound), milliseconds.upperBound).flooredQuotient(by: 1000)
        let day = second.flooredQuotient(by: 86_400)
        let rest = Int(second - day * 86_400)
        return String(unsafeUninitializedCapacity: 19) { bytes in
            LogDate(dayNumber: Int(day)).put(in: bytes)
            bytes[10] = UInt8(ascii: " ")
            bytes.put(twoDigits: rest / 3600, at: 11)
            bytes[13] = UInt8(ascii: ":")
            bytes.put(twoDigits: rest / 60 % 60, at: 14)
            bytes[16] = UInt8(ascii: ":")
            bytes.put(twoDigits: rest % 60, at: 17)
            return 19
        }
    }

    /// The same in a time zone.
    package static func dateTime(ofMilliseconds time: Int64, in zone: ZoneRules) -> String {
        dateTime(ofMilliseconds: time + zone.offset(at: time.flooredQuotient(by: 1000)) * 1000)
    }
}
