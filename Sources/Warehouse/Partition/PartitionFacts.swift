/// Whether all of a log date's files were there and whole.
package enum PartitionStatus: String, Sendable {
    case complete
    case partial
}

/// What a partition says of itself.
package struct PartitionSummary: Equatable, Sendable {
    /// Days since 1970-01-01.
    package var logDate: Int32
    package var status: PartitionStatus
    package var files: Int
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int
    package var events: Int
    package var duplicates: Int
    package var clockFallback: Int
    /// A fingerprint of the meaning of the pipeline file that it was loaded with.
    package var pipeline: String
    /// The time zone of its own daily_actions.
    package var zoneName: String
    package var windowDays: Int
    /// A fingerprint of the inputs: equal versions mean equal content.
    package var version: String

    package init(
        logDate: Int32, status: PartitionStatus, files: Int, records: Int, accepted: Int, filtered: Int,
        rejected: Int, events: Int, duplicates: Int, clockFallback: Int, pipeline: String, zoneName: String,
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
        self.zoneName = zoneName
        self.windowDays = windowDays
        self.version = version
    }
}

/// One input file of a partition.
package struct LoadedFile: Equatable, Sendable {
    package enum Status: String, Sendable {
        case ok
        case truncated
        case damaged
    }

    package var source: String
    package var path: String
    package var bytes: Int
    /// Identifies the file's bytes.
    package var fingerprint: String
    package var status: Status
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int

    package init(
        source: String, path: String, bytes: Int, fingerprint: String, status: Status, records: Int, accepted: Int,
        filtered: Int, rejected: Int
    ) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.status = status
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
    }
}

/// How many records of a source ended in one way.
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

/// A rejected record.
package struct Reject: Equatable, Sendable {
    package var source: String
    package var path: String
    /// 1-based, in the unpacked file.
    package var line: Int
    package var reason: String
    /// Why a line does not fit its layout; empty where the reason says all. It holds no value from the log.
    package var detail: String
    /// At most 200 bytes, personal values masked.
    package var sample: String

    package init(source: String, path: String, line: Int, reason: String, detail: String, sample: String) {
        self.source = source
        self.path = path
        self.line = line
        self.reason = reason
        self.detail = detail
        self.sample = sample
    }
}
