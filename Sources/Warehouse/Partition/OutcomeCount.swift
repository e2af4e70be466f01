/// The number of a source's records with one outcome.
package struct OutcomeCount: Equatable, Sendable {
    package enum Outcome: String, Sendable {
        case accepted
        case filtered
        case rejected
    }

    package var source: String
    package var outcome: Outcome
    /// Empty for accepted records.
    package var reason: String
    package var records: Int

    package init(source: String, outcome: Outcome, reason: String, records: Int) {
        self.source = source
        self.outcome = outcome
        self.reason = reason
        self.records = records
    }
}
