/// One entry of `checks` in a pipeline file: a question to push.db that is to find no row.
package struct Check: Sendable {
    /// What a finding means for the command.
    package enum Severity: String, CaseIterable, Sendable {
        case warn
        /// The exit code is 65. The figures stand.
        case fail
    }

    /// Unique in the pipeline.
    package let name: String
    /// `warn` by default.
    package let severity: Severity
    /// One SELECT, which compiles on an empty push.db.
    package let sql: String
}
