import ArgumentParser
import Calendar
import Pipelines

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
