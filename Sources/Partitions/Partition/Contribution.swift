import Calendar
import Counting
import Events

/// The rows that a log date contributes to push.db, with the names of their numbers.
package struct Contribution: Sendable {
    package let logDate: LogDate
    package let names: EventNames
    package var rows: LogDateRows
    /// The names that the log date's events give deliveries.
    package let deliveryNames: [DeliveryName]

    package init(
        of logDate: LogDate, names: EventNames, rows: LogDateRows, deliveryNames: [DeliveryName] = []
    ) {
        self.logDate = logDate
        self.names = names
        self.rows = rows
        self.deliveryNames = deliveryNames
    }
}
