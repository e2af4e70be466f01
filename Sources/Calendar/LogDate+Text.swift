extension LogDate: CustomStringConvertible {
    /// `YYYY-MM-DD`, of a date in `written`; of another that of the nearest.
    public var description: String {
        String(unsafeUninitializedCapacity: 10) { bytes in
            put(in: bytes)
            return 10
        }
    }

    /// Puts the text into the first ten bytes.
    func put(in bytes: UnsafeMutableBufferPointer<UInt8>) {
        let date = CivilCalendar.date(ofDayNumber: nearestWritten.dayNumber)
        bytes.put(twoDigits: date.year / 100, at: 0)
        bytes.put(twoDigits: date.year % 100, at: 2)
        bytes[4] = UInt8(ascii: "-")
        bytes.put(twoDigits: date.month, at: 5)
        bytes[7] = UInt8(ascii: "-")
        bytes.put(twoDigits: date.day, at: 8)
    }

    /// Parses exactly `YYYY-MM-DD` in the years 0001 to 9999; returns nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard !text.hasPrefix("0000") else { return nil }
        self.init(ofDay: String(text))
    }

    /// The day of `YYYY-MM-DD`, also in the year 0, in which events may lie; nil for any other text and for a date that
    /// does not exist.
    package init?(ofDay text: String) {
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
        guard let number = CivilCalendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            return nil
        }
        self.init(dayNumber: number)
    }

    /// The week of ISO 8601, such as `2026-W47`.
    package var isoWeek: String {
        let (year, week) = CivilCalendar.isoWeek(ofDayNumber: dayNumber)
        // The first two days of the year 0 belong to a week of the year before.
        let digits = String(max(year, 0))
        return String(repeating: "0", count: 4 - digits.count) + digits + (week < 10 ? "-W0" : "-W") + String(week)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    func put(twoDigits value: Int, at index: Int) {
        self[index] = 0x30 + UInt8(value / 10)
        self[index + 1] = 0x30 + UInt8(value % 10)
    }
}
