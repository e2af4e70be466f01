import Configuration
import Messages

/// What a check found, or why it could not be asked.
package struct CheckReport: Sendable {
    package let severity: Check.Severity
    package let message: Message
}
