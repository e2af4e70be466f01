/// Days and instants as the databases hold them: `2026-11-19` and `2026-11-19 07:00:00` (UTC).
package enum CalendarText {
    /// The days that have a text of ten characters: 0000-01-01 to 9999-12-31, as days since 1970-01-01.
    package static let days: ClosedRange<Int32> = -719_528...2_932_896
    /// The milliseconds since 1970 of those days in UTC.
    static let milliseconds: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    package static func date(ofDay day: Int32) -> String {
        var bytes = InlineArray<10, UInt8>(repeating: 0)
        put(day: day, in: &bytes)
        return String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for index in bytes.indices { buffer[index] = bytes[index] }
            return bytes.count
        }
    }

    /// The UTC text of an instant, cut to the second.
    package static func dateTime(ofMilliseconds time: Int64) -> String {
        let bytes = dateTimeBytes(ofMilliseconds: time)
        return String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for index in bytes.indices { buffer[index] = bytes[index] }
            return bytes.count
        }
    }

    static func dateTimeBytes(ofMilliseconds time: Int64) -> InlineArray<19, UInt8> {
        let second = floorDivide(min(max(time, milliseconds.lowerBound), milliseconds.upperBound), 1000)
        let day = floorDivide(second, 86_400)
        let rest = Int(second - day * 86_400)
        var bytes = InlineArray<19, UInt8>(repeating: UInt8(ascii: " "))
        put(day: Int32(day), in: &bytes)
        put(twoDigits: rest / 3600, in: &bytes, at: 11)
        bytes[13] = UInt8(ascii: ":")
        put(twoDigits: rest / 60 % 60, in: &bytes, at: 14)
        bytes[16] = UInt8(ascii: ":")
        put(twoDigits: rest % 60, in: &bytes, at: 17)
        return bytes
    }

    /// The day of a text `YYYY-MM-DD`; nil if it is anything else or no day of the calendar.
    package static func day(of text: String) -> Int32? {
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
        guard (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        // Days from the civil date, with years that begin in March so that the leap day is the last one.
        let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((numbers[1] + 9) % 12) + 2) / 5 + numbers[2] - 1
        let day = Int32(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
        return date(ofDay: day) == text ? day : nil
    }

    private static func put<let count: Int>(day: Int32, in bytes: inout InlineArray<count, UInt8>) {
        let shifted = Int(min(max(day, days.lowerBound), days.upperBound)) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        put(twoDigits: year / 100, in: &bytes, at: 0)
        put(twoDigits: year % 100, in: &bytes, at: 2)
        bytes[4] = UInt8(ascii: "-")
        put(twoDigits: month, in: &bytes, at: 5)
        bytes[7] = UInt8(ascii: "-")
        put(twoDigits: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, in: &bytes, at: 8)
    }

    private static func put<let count: Int>(
        twoDigits value: Int, in bytes: inout InlineArray<count, UInt8>, at place: Int
    ) {
        bytes[place] = 0x30 + UInt8(value / 10)
        bytes[place + 1] = 0x30 + UInt8(value % 10)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
