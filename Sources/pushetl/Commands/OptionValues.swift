import ArgumentParser
import Calendar
import Foundation
import Messages
import Pipelines

/// A log date as an option takes it: `2026-11-19`, `yesterday`, `today`, or `-N` for N days ago, by the calendar of the
/// pipeline's time zone.
enum DateArgument: Sendable {
    case date(LogDate)
    case daysAgo(Int)

    init(parsing argument: String) throws(ValidationError) {
        switch argument {
        case "today": self = .daysAgo(0)
        case "yesterday": self = .daysAgo(1)
        default:
            if let date = LogDate(argument) {
                self = .date(date)
            } else if argument.hasPrefix("-"), let days = Int(argument.dropFirst()), (0...36_525).contains(days) {
                self = .daysAgo(days)
            } else {
                throw ValidationError(DateArgument.fault(of: argument) + ".")
            }
        }
    }

    func logDate(in zone: ZoneRules) -> LogDate {
        switch self {
        case .date(let date): date
        case .daysAgo(let days): LogDate.today(in: zone).adding(days: -days)
        }
    }

    /// Why a text is not a date.
    private static func fault(of argument: String) -> String {
        let form = "give a date as YYYY-MM-DD, or as yesterday, today or -N for N days ago"
        guard let match = argument.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3)
        else { return form }
        guard year > 0 else { return "there is no year \(match.1)" }
        guard (1...12).contains(month) else { return "there is no month \(match.2)" }
        let days = CivilCalendar.days(inMonth: month, of: year)
        return (1...days).contains(day) ? form : "\(match.1)-\(match.2) has \(days) days"
    }
}

extension Option where Value == DateArgument? {
    /// A date.
    init(date help: String) {
        self.init(
            parsing: .unconditional, help: ArgumentHelp(help, valueName: "date"),
            transform: { try DateArgument(parsing: $0) })
    }
}

// A negative number is parsed as a value, so that `validate` can refuse it by name.

extension Option where Value == Int? {
    /// A number.
    init(number help: String) {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: "n"))
    }
}

extension Option where Value == Int {
    /// A number that has a default.
    init(wrappedValue: Int, number help: String, valueName: String = "n") {
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName))
    }
}

extension DateRange {
    /// The days that `--from` and `--to` give.
    init(from: DateArgument?, to: DateArgument?, in zone: ZoneRules) throws(ValidationError) {
        self.init(from: from?.logDate(in: zone), to: to?.logDate(in: zone))
        guard let first = self.from, let last = self.to, first > last else { return }
        throw ValidationError("--from \(first) is after --to \(last); give the earlier date first.")
    }

    /// Checks what can be told without a zone.
    static func check(from: DateArgument?, to: DateArgument?) throws(ValidationError) {
        if case .date = from, case .date = to { _ = try DateRange(from: from, to: to, in: .utc) }
    }
}

/// A number of bytes, as `--memory` takes it.
struct MemorySize: CustomStringConvertible {
    static let least = 16 << 20

    let bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    init(parsing argument: String) throws(ValidationError) {
        guard let bytes = MemorySize.bytes(argument) else {
            throw ValidationError(
                "'\(argument.shown)' is not a size; give bytes, or a number with K, M or G, such as 512M.")
        }
        guard bytes >= MemorySize.least else {
            throw ValidationError("--memory takes at least \(MemorySize(bytes: MemorySize.least)).")
        }
        self.bytes = bytes
    }

    private static func bytes(_ argument: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        var text = argument.lowercased()[...]
        if text.hasSuffix("ib") { text = text.dropLast(2) } else if text.hasSuffix("b") { text = text.dropLast() }
        var unit = 1
        if let last = text.last, let known = units[last] {
            unit = known
            text = text.dropLast()
        }
        guard let number = Int(text), number > 0 else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : bytes
    }

    var description: String { bytes % (1 << 30) == 0 ? "\(bytes >> 30)G" : "\(bytes >> 20)M" }
}
