/// A calendar day, counted from 1970-01-01 in the Gregorian calendar without beginning or end.
package struct Day: Hashable, Comparable, CustomStringConvertible {
    package var number: Int

    package init(number: Int) {
        self.number = number
    }

    /// Nil if there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Day.length(ofMonth: month, year: year)).contains(day) else { return nil }
        var number = day - 1
        for earlier in 1..<month { number += Day.length(ofMonth: earlier, year: year) }
        for earlier in min(year, 1970)..<max(year, 1970) {
            number += (year < 1970 ? -1 : 1) * (Day.isLeap(earlier) ? 366 : 365)
        }
        self.number = number
    }

    /// `YYYY-MM-DD`.
    package init?(_ text: String) {
        let parts = Bytes(text).pieces("-").map { Int($0.text) ?? -1 }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    package var parts: (year: Int, month: Int, day: Int) {
        var year = 1970
        var rest = number
        while rest < 0 {
            year -= 1
            rest += Day.isLeap(year) ? 366 : 365
        }
        while rest >= (Day.isLeap(year) ? 366 : 365) {
            rest -= Day.isLeap(year) ? 366 : 365
            year += 1
        }
        var month = 1
        while rest >= Day.length(ofMonth: month, year: year) {
            rest -= Day.length(ofMonth: month, year: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    package var description: String {
        let (year, month, day) = parts
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }

    package static func < (a: Day, b: Day) -> Bool {
        a.number < b.number
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Division towards minus infinity.
package func floored(_ number: Int, by divisor: Int) -> Int {
    (number - (((number % divisor) + divisor) % divisor)) / divisor
}

/// `YYYY-MM-DD HH:MM:SS` in UTC of a time in milliseconds.
package func timestamp(_ milliseconds: Int) -> String {
    let seconds = floored(milliseconds, by: 1000)
    let day = floored(seconds, by: 86_400)
    let rest = seconds - day * 86_400
    return "\(Day(number: day)) \(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
}

/// The hour that clocks show.
package struct LocalTime {
    package let day: Day
    /// 0 to 23.
    package let hour: Int
    /// The Unix time, in seconds, less the minutes and seconds that clocks show.
    package let hourEpoch: Int
}
