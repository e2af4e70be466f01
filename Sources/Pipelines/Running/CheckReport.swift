import Configuration
import Output

/// What a check found, or why it could not be asked.
struct CheckReport: Sendable {
    let severity: Check.Severity
    let finding: CheckFinding
}
