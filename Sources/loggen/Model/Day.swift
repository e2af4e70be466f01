import ArgumentParser
import Calendar

/// A calendar day, counted from 1970-01-01.
struct Day: Hashable, Comparable, Sendable {
    var number: Int

    /// Reads `2026-11-19`; nil for any other text, and for a date that the calendar does not have.
    init?(_ text: String) {
        guard let date = LogDate(text) else { return nil }
        number = date.dayNumber
    }

    init(number: Int) {
        self.number = number
    }

    /// A date that is written in the source.
    init(year: Int, month: Int, day: Int) {
        guard let number = CivilCalendar.dayNumber(year: year, month: month, day: day) else {
            preconditionFailure("there is no such date")
        }
        self.number = number
    }

    var civil: (year: Int, month: Int, day: Int) { CivilCalendar.date(ofDayNumber: number) }

    /// `2026-11-19`
    var text: String { LogDate(dayNumber: number).description }

    static func < (left: Day, right: Day) -> Bool {
        left.number < right.number
    }

    static func + (day: Day, days: Int) -> Day {
        Day(number: day.number + days)
    }
}

extension Day: ExpressibleByArgument {
    init?(argument: String) {
        self.init(argument)
    }
}

/// A number with leading zeros up to a width.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Division that rounds down, for times before 1970 too.
func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
}
