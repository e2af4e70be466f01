import Calendar
import Output

/// What a command has closed, settled and erased, or would.
struct RetentionSummary: Encodable {
    /// The last closed log date; absent if there is none.
    let closedThrough: String?
    /// How many were closed just now, loaded or not.
    let closed: Int
    let settled: [String]
    /// The log dates whose ids were erased.
    let erased: [String]

    init(_ result: ClosingResult) {
        closedThrough = result.through.map(CalendarText.date)
        closed = result.closed
        settled = result.settled.map(CalendarText.date)
        erased = result.erased.map(CalendarText.date)
    }

    /// A line for each thing that was done.
    static func lines(_ result: ClosingResult) -> [String] {
        func row(_ name: String, _ dates: [Int32]) -> [String] {
            let ranges = Text.ranges(dates.map { LogDate(dayNumber: Int($0)) })
            return dates.isEmpty
                ? [] : ["  " + Text.column(name, 12) + Text.padded(Text.number(dates.count), 6) + "  " + ranges]
        }
        let closed =
            result.through.map {
                [
                    "  " + Text.column("closed", 12) + Text.padded(Text.number(result.closed), 6)
                        + "  through \(CalendarText.date(ofDay: $0)); loaded no more"
                ]
            } ?? []
        return (result.closed > 0 ? closed : []) + row("settled", result.settled) + row("ids erased", result.erased)
    }
}
