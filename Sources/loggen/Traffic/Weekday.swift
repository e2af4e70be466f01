/// A day of the week; Monday is 0.
enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    init(_ day: Day) {
        // 1970-01-01 was a Thursday.
        self = Self.allCases[(day.number % 7 + 10) % 7]
    }

    var isWeekend: Bool { self == .saturday || self == .sunday }

    var hours: HourCurve { isWeekend ? .weekend : .workday }

    /// Its records, where a Tuesday has a hundred.
    var volume: Int {
        switch self {
        case .monday: 90
        case .tuesday, .wednesday, .thursday: 100
        case .friday: 120
        case .saturday: 70
        case .sunday: 80
        }
    }
}
