/// What a publishing has written and not committed yet.
package struct UncommittedOutput {
    /// Whether a figure, or what is said about one, may have changed.
    package let isChanged: Bool
    /// Whether a partition is damaged.
    package let hasDamage: Bool
    /// What a check finds.
    package let ask: (_ name: String, _ sql: String) throws -> CheckFinding
}
