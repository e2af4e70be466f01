import Calendar

/// A row of `loads`, without the sentences that it has.
package struct PastLoad: Sendable {
    package let date: LogDate
    /// How the load ended; see `loads` in the manual.
    package let verdict: String
    package let files: Int
    package let records: Int
    package let accepted: Int
    package let filtered: Int
    package let rejected: Int
}
