import ArgumentParser
import Calendar
import Pipelines

extension Option where Value == DateArgument? {
    /// An option whose value is a date.
    init(date help: String) {
        self.init(
            parsing: .unconditional, help: ArgumentHelp(help, valueName: "date"),
            transform: { try DateArgument(parsing: $0) })
    }
}

// These options accept a negative number, so that `validate` can refuse it with the option's name.

extension Option where Value == Int? {
    /// An option whose value is a number.
    init(number help: String) {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: "n"))
    }
}

extension Option where Value == Int {
    /// An option whose value is a number, with a default.
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

    /// Checks the order of `from` and `to`, as far as it does not depend on the zone.
    static func check(from: DateArgument?, to: DateArgument?) throws(ValidationError) {
        if case .date = from, case .date = to { _ = try DateRange(from: from, to: to, in: .utc) }
    }
}
