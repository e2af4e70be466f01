/// The row of a partition's table `partition`: the counts of its records, and the settings of its load.
package struct PartitionSummary: Codable, Equatable, Sendable {
    /// Days since 1970-01-01.
    package var logDate: Int32
    package var status: PartitionStatus
    package var files: Int
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int
    /// Different (message, action).
    package var events: Int
    /// `accepted` - `events`.
    package var duplicates: Int
    /// The number of accepted records whose device clock was wrong.
    package var clockFallback: Int
    /// A fingerprint of the meaning of the pipeline file at load.
    package var pipeline: String
    /// The time zone of its standalone tables.
    package var zone: String
    /// The setting at load, see `PublicationSettings`.
    package var windowDays: Int
    /// A fingerprint of the inputs: equal versions mean equal content.
    package var version: String

    package init(
        logDate: Int32, status: PartitionStatus, files: Int, records: Int, accepted: Int, filtered: Int,
        rejected: Int, events: Int, duplicates: Int, clockFallback: Int, pipeline: String, zone: String,
        windowDays: Int, version: String
    ) {
        self.logDate = logDate
        self.status = status
        self.files = files
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
        self.events = events
        self.duplicates = duplicates
        self.clockFallback = clockFallback
        self.pipeline = pipeline
        self.zone = zone
        self.windowDays = windowDays
        self.version = version
    }
}
