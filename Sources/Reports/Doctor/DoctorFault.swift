import Partitions

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
    /// What SQLite finds wrong in the file.
    case damage(String)
    /// A table of ours is missing, or has other columns or another key.
    case otherDefinition(table: String)
    /// Rows of a table are not those that follow from the partitions.
    case otherRows(table: String)
    case trigger(String)
    /// What others have added does not let push.db be written: a table of ours, and SQLite's message.
    case obstacle(String)
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
    /// What tells of closed or settled log dates, and cannot be used.
    case unusable(RetentionFault)
    /// A file with ids that should be erased.
    case idsLeft(path: String)
    /// Log dates, or `settings` or `deliveries`, of which push.db shows another version than is there.
    case unpublished([String])
    /// A question whose query reads a whole table of figures.
    case scan(question: String, table: String)
}
