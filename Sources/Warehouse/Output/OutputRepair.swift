/// How push.db differed from what the last command left, and what was done about it.
package struct OutputRepair: Equatable, Sendable {
    /// A trigger of others on one of our tables.
    package struct Trigger: Equatable, Sendable {
        package let name: String
        package let sql: String
    }

    /// Set if an earlier version of the program had written the file.
    package internal(set) var earlierSchema: Int?
    /// Why SQLite could not read the file; nil if it could.
    package internal(set) var damage: String?
    /// The path under which the former file is kept; nil if all that was in it is there.
    package internal(set) var copy: String?
    /// Our tables in which something else had changed rows or columns, by name.
    package internal(set) var tables: [String] = []
    /// Settings of the file that were set back.
    package internal(set) var settings: [String] = []
    /// Triggers that were removed.
    package internal(set) var triggers: [Trigger] = []
}
