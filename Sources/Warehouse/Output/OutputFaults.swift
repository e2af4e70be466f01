/// How push.db was not as the last command had left it.
package struct OutputFaults: Equatable, Sendable {
    package enum TableFault: Equatable, Sendable {
        case missing
        /// Its columns or its indexes are others.
        case otherDefinition
        /// Rows of these dates are others; none for a table that is not written date by date.
        case otherRows(dates: [String])
    }

    /// Why the whole file had to be made anew; nil where that was not so.
    package internal(set) var unusable: String?
    /// Tables that were made again, by their names.
    package internal(set) var tables: [String: TableFault] = [:]
    /// Settings of the file that were put right: `application_id`, `user_version`, `journal_mode`.
    package internal(set) var settings: [String] = []
    /// Triggers of others on the tables, which were removed.
    package internal(set) var triggers: [String] = []
    /// Tables, views, indexes and triggers of others that are lost.
    package internal(set) var lost: [String] = []

    package var isEmpty: Bool {
        unusable == nil && tables.isEmpty && settings.isEmpty && triggers.isEmpty && lost.isEmpty
    }
}
