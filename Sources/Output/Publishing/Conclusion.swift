/// What a command adds at the end of its publishing.
package struct Conclusion {
    /// What the checks have found; nil to leave what earlier commands have found.
    package var findings: [CheckFinding]?
    /// The command's row of `runs`.
    package var run: RunRecord?

    package init(findings: [CheckFinding]? = nil, run: RunRecord? = nil) {
        self.findings = findings
        self.run = run
    }
}
