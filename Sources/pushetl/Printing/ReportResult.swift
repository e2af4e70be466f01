import Calendar
import Messages
import Reports

/// The report that was written.
struct ReportResult: CommandResult {
    struct Period: Encodable {
        let from: String
        let to: String
        let days: Int

        init(_ period: ReportPeriod) {
            from = period.first.description
            to = period.last.description
            days = period.count
        }

        var text: String { from == to ? from : "\(from) to \(to)" }
    }

    let path: String
    let bytes: Int
    /// Nil if nothing is loaded and no days were asked for.
    let period: Period?
    let comparedPeriod: Period?
    /// Log dates of the period that are loaded.
    let loadedLogDates: Int
    /// Messages first seen in the period.
    let messages: Int

    init(_ report: Report, path: String) {
        self.path = path
        bytes = report.html.utf8.count
        period = report.period.map(Period.init)
        comparedPeriod = report.comparedPeriod.map(Period.init)
        loadedLogDates = report.loadedLogDates
        messages = report.messages
    }

    var text: String {
        guard let period else { return "\(path.shown): written; nothing is loaded yet" }
        let compared = comparedPeriod.map { ", compared with \($0.text)" } ?? ""
        return "\(path.shown): written, \(Text.bytes(bytes)), \(period.text)\(compared), "
            + Text.plural(messages, "message")
    }
}
