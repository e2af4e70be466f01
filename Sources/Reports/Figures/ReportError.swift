import Calendar

/// Why there is no report.
package enum ReportError: Error, Equatable {
    case noOutput(path: String)
    /// push.db is of an earlier version of the program and lacks tables.
    case earlierSchema(path: String)
    /// Also where only the first day was given, and the last log date is before it.
    case endsBeforeItBegins(first: LogDate, last: LogDate)
    case tooLong(first: LogDate, last: LogDate)
}
