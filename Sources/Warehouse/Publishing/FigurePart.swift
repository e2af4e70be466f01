import Counting
import Events

/// The rows that a log date's partition has for some days, or a part of them.
package struct FigurePart: Sendable {
    /// All days that have rows. In days since 1970-01-01, as the log date.
    package let days: Set<Int32>
    package let logDate: Int32
    /// The names of the numbers in the tables.
    package let names: EventNames
    package let tables: DailyTables

    package init(days: Set<Int32>, logDate: Int32, names: EventNames, tables: DailyTables) {
        self.days = days
        self.logDate = logDate
        self.names = names
        self.tables = tables
    }
}
