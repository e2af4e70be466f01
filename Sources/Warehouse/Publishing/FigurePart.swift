import Counting
import Events

/// All that a log date contributes, or a part of it.
package struct FigurePart: Sendable {
    /// In days since 1970-01-01.
    package let logDate: Int32
    /// The names of the numbers in the tables.
    package let names: EventNames
    package let tables: DailyTables

    package init(logDate: Int32, names: EventNames, tables: DailyTables) {
        self.logDate = logDate
        self.names = names
        self.tables = tables
    }
}
