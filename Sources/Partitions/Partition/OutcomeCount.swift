import Calendar
import Foundation
import SQLite

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

extension OutcomeCount {
    package func values(logDate: LogDate) -> [DatabaseValue] {
        .of(logDate.description, source, outcome.rawValue, reason, records)
    }

    init?(_ row: Statement) throws {
        guard let outcome = Outcome(rawValue: try row.read(2)) else { return nil }
        self.init(
            source: try row.read(1), outcome: outcome, reason: try row.read(3), records: try row.read(4))
    }
}
