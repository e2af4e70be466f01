import Calendar

/// A day of the week; Monday is 0.
enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    init(_ day: LogDate) {
        // 1970-01-01 was a Thursday.
        self = Self.allCases[(day.dayNumber % 7 + 10) % 7]
    }

    /// How busy its hours are: people look at their phones in the morning, at lunch and in the evening.
    var hours: [Int] { self == .saturday || self == .sunday ? Self.weekend : Self.workday }

    private static let workday = [
        6, 3, 2, 2, 2, 4, 14, 34, 38, 26, 22, 24, 32, 40, 34, 22, 20, 24, 32, 42, 50, 46, 28, 14,
    ]
    private static let weekend = [
        9, 6, 3, 2, 2, 2, 5, 12, 22, 34, 38, 36, 34, 36, 34, 28, 24, 26, 32, 40, 46, 42, 30, 18,
    ]

    /// Its records, where a Tuesday has a hundred.
    var volume: Int { [90, 100, 100, 100, 120, 70, 80][rawValue] }
}
