import Configuration
import Output

/// The finding of a check, or why the check could not be asked.
struct CheckReport: Sendable {
    let severity: Check.Severity
    let finding: CheckFinding
}
