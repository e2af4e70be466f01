/// One entry of `checks` in a pipeline file: a question to push.db that is to find no row.
package struct Check: Sendable {
    /// What it means for the command if the check finds rows.
    package enum Severity: String, CaseIterable, Sendable {
        case warn
        /// The command ends with 65. The figures are published all the same.
        case fail
    }

    /// Unique in the pipeline.
    package let name: String
    /// `warn` by default.
    package let severity: Severity
    /// One SELECT, which compiles on an empty push.db.
    package let sql: String
}
