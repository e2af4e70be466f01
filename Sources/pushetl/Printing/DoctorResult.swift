import Messages
import Reports

/// What `doctor` found: a line for each check, and below it what is wrong and what to do.
struct DoctorResult: CommandResult {
    struct Check: Encodable {
        let name: String
        /// `ok`, `fault`, `skipped` or `note`.
        let status: String
        /// The line without name and status. `faults` has the lines below it.
        let detail: String
        let faults: [String]
    }

    let output: String
    let checks: [Check]
    /// The number of checks with a fault.
    let faulty: Int

    init(_ checks: [DoctorCheck], output: String, _ sentence: Sentence) {
        self.output = output
        self.checks = checks.map { check in
            let faults = check.faults.map { sentence.of($0) }
            return Check(
                name: check.name.rawValue, status: DoctorResult.status(check.outcome), detail: sentence.of(check),
                faults: faults)
        }
        faulty = checks.count { $0.hasFaults }
    }

    var text: String {
        let width = checks.map(\.name.count).max() ?? 0
        var lines = [output.shown, ""]
        for check in checks {
            lines.append("  \(Text.column(check.status, 8))\(Text.column(check.name, width))  \(check.detail)")
            lines += check.faults.map { "    \($0)" }
        }
        lines += ["", faulty == 0 ? "no faults" : "\(Text.plural(faulty, "check")) of \(checks.count) found faults"]
        return lines.joined(separator: "\n")
    }

    private static func status(_ outcome: DoctorCheck.Outcome) -> String {
        switch outcome {
        case .ok: "ok"
        case .faults: "fault"
        case .skipped: "skipped"
        case .share, .told: "note"
        }
    }
}

extension DoctorCheck {
    fileprivate var faults: [DoctorFault] {
        switch outcome {
        case .faults(let faults), .told(let faults): faults
        case .ok, .skipped, .share: []
        }
    }
}
