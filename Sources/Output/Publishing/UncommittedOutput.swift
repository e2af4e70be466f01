/// The state of a publishing just before its commit.
package struct UncommittedOutput {
    /// Whether a figure, or what is said about one, may have changed.
    package let isChanged: Bool
    package let hasDamage: Bool
    package let ask: (_ name: String, _ sql: String) throws -> CheckFinding
}
