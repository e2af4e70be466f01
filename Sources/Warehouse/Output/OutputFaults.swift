/// How push.db differed from the state that the last command left.
package struct OutputFaults: Equatable, Sendable {
    package enum TableFault: Equatable, Sendable {
        case missing
        /// Its columns or its key are different.
        case otherDefinition
        /// Rows of these dates are different. Empty if the table is not written by date.
        case otherRows(dates: [String])
    }

    /// Why the whole file was replaced; nil if it was not.
    package internal(set) var unusable: String?
    /// The tables that were made again, by name.
    package internal(set) var tables: [String: TableFault] = [:]
    /// Settings of the file that were corrected: `application_id`, `user_version`, `journal_mode`,
    /// and the statistics in `sqlite_stat1`.
    package internal(set) var settings: [String] = []
    /// Triggers of others on our tables, which were removed.
    package internal(set) var triggers: [String] = []
    /// Tables, views, indexes and triggers of others that were lost.
    package internal(set) var lost: [String] = []

    package var isEmpty: Bool {
        unusable == nil && tables.isEmpty && settings.isEmpty && triggers.isEmpty && lost.isEmpty
    }
}
