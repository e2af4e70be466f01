import Messages
import Reports

/// What `doctor` found: a line for each check, and below it what is wrong and what to do.
struct DoctorResult: CommandResult {
    let output: String
    let checks: [DoctorCheck]
    /// The number of checks with a fault.
    let faulty: Int

    init(_ checks: [DoctorCheck], output: String) {
        self.output = output
        self.checks = checks
        faulty = checks.count { $0.status == .fault }
    }

    var text: String {
        let width = checks.map(\.name.rawValue.count).max() ?? 0
        var lines = [output.shown, ""]
        for check in checks {
            let name = Text.column(check.name.rawValue, width)
            lines.append("  \(Text.column(check.status.rawValue, 8))\(name)  \(check.detail)")
            lines += check.faults.map { "    \($0)" }
        }
        lines += ["", faulty == 0 ? "no faults" : "\(Text.plural(faulty, "check")) of \(checks.count) found faults"]
        return lines.joined(separator: "\n")
    }
}
