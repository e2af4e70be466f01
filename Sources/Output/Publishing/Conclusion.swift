/// What a command adds to push.db at the end of publishing.
package struct Conclusion {
    /// The findings of the checks; nil to keep the former findings.
    package var findings: [CheckFinding]?
    /// The command's row of `runs`.
    package var run: RunRecord?

    package init(findings: [CheckFinding]? = nil, run: RunRecord? = nil) {
        self.findings = findings
        self.run = run
    }
}
