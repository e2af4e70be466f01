import Calendar
import Counting
import Events

/// What a log date contributes, and the names of the numbers in it.
package struct Contribution: Sendable {
    package let logDate: LogDate
    package let names: EventNames
    package var rows: LogDateRows
    /// What its events call deliveries.
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
