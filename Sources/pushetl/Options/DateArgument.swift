import ArgumentParser
import Calendar

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
