import Events

/// An event of a message, with names instead of numbers.
package struct MessageEvent: Equatable, Sendable {
    /// Days since 1970-01-01, like `day`.
    package let logDate: Int32
    /// The day of `time` in the pipeline's time zone.
    package let day: Int32
    /// Milliseconds since 1970.
    package let time: Int64
    package let source: String
    package let delivery: String
    package let platform: Platform
    package let action: String
    /// How many records of the partition have this message and action. 1 if there is no duplicate.
    package let records: Int

    package init(
        logDate: Int32, day: Int32, time: Int64, source: String, delivery: String, platform: Platform, action: String,
        records: Int
    ) {
        self.logDate = logDate
        self.day = day
        self.time = time
        self.source = source
        self.delivery = delivery
        self.platform = platform
        self.action = action
        self.records = records
    }
}
