import Warehouse

/// What a check of `doctor` found wrong. A fact; the caller writes the sentence.
package enum DoctorFault: Equatable, Sendable {
    /// A command was killed while it wrote, and its transaction is not undone yet.
    case interrupted
    /// The file has another journal mode, for which files must be made beside it.
    case writeAheadLog
    /// A file of SQLite lies beside it: a name such as `push.db-wal`.
    case leftover(String)
    case unreadable(detail: String)
    case foreign
    case newerSchema(Int)
    case earlierSchema(Int)
    /// A line of `integrity_check`.
    case structure(String)
    case missingTable(String)
    case otherDefinition(table: String)
    case trigger(String)
    /// SQLite's planner is not told the usual numbers of rows.
    case statistics
    /// Values that are not of the declared type, or not of its form.
    case wrongType(table: String, column: String, type: String, rows: Int, first: String)
    /// Values that contradict others of their row.
    case contradiction(table: String, rule: String, rows: Int, first: String)
    /// Two sources of the same sums. `first` is the first place where they differ.
    case sumsDiffer(tables: [String], column: String, places: Int, first: String)
    /// A value of `about` is not what the tables say.
    case otherAbout(key: String, value: String?, expected: String?)
    case missingHelp(table: String, column: String)
    case needlessHelp(table: String, column: String)
    /// Days between the first and the last log date that `calendar` lacks.
    case gap(days: Int, first: String)
    case damagedPartition(path: String, detail: String)
    /// Log dates, or `settings` or `deliveries`, of which push.db shows another version than is there.
    case unpublished([String])
    /// Rows that are not those that follow from the partitions. The dates are empty for tables not written by date.
    case otherRows(table: String, dates: [String])
    /// Rows that are not those that the last command left.
    case changedRows(table: String, dates: [String])
    /// A question whose query reads a whole table of figures.
    case scan(question: String, table: String)
}
