import Calendar
import Events

/// An event of a message, with names instead of numbers.
package struct MessageEvent: Equatable, Sendable {
    package let logDate: LogDate
    /// The day of `time` in the pipeline's time zone.
    package let day: LogDate
    /// Milliseconds since 1970.
    package let time: Int64
    package let source: String
    package let delivery: String
    package let platform: Platform
    package let action: String
    /// How many records of the partition have this message and action. 1 if there is no duplicate.
    package let records: Int

    /// The numbers of `event` must be valid in `names`.
    package init(_ event: Event, names: EventNames, logDate: LogDate, day: LogDate) {
        self.logDate = logDate
        self.day = day
        time = event.time
        platform = event.platform
        source = names.sources[Int(event.source)]
        delivery = names.deliveries[Int(event.delivery)]
        action = names.actions[Int(event.action)]
        records = Int(event.records)
    }
}
