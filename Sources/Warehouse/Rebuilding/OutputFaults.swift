/// How push.db differed from the state that the last command left, and what was done about it.
package struct OutputFaults: Equatable, Sendable {
    /// A difference because of which push.db is made anew.
    package enum Difference: Equatable, Sendable {
        /// The file, or a part of it, cannot be read.
        case damage(String)
        /// Its texts are not in UTF-8.
        case encoding(String)
        case missingTable(String)
        /// The columns or the key of a table are different.
        case otherDefinition(table: String)
        /// Rows of these dates are different. Empty if the table is not written by date.
        case otherRows(table: String, dates: [String])
    }

    /// A trigger of others on one of our tables.
    package struct Trigger: Equatable, Sendable {
        package let name: String
        package let sql: String
    }

    package internal(set) var differences: [Difference] = []
    /// Settings of the file that were set back: `application_id`, `user_version`, `journal_mode`,
    /// and the statistics in `sqlite_stat1`.
    package internal(set) var settings: [String] = []
    /// Triggers that were removed.
    package internal(set) var triggers: [Trigger] = []

    package var isEmpty: Bool { differences.isEmpty && settings.isEmpty && triggers.isEmpty }
}
