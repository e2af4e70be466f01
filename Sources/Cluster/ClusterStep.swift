import Calendar
import Foundation
import Pipelines
import Warehouse

/// What the driver says before it waits for the tasks of a step. One line of JSON.
struct ClusterStep: Encodable {
    /// What is to be done now.
    enum Next: String, Encodable {
        case find, map, reduce, figures, done
    }

    struct Date: Encodable {
        let logDate: String
        let why: String
        let files: Int
        let bytes: Int
    }

    struct Verdict: Encodable {
        let logDate: String
        let verdict: String
    }

    let step: String
    let next: Next
    let shards: Int?
    let job: ClusterJob?
    /// Globs of Hadoop.
    var globs: [String]?
    var dates: [Date]?
    var files: [ClusterJob.File]?
    var verdicts: [Verdict]?
    /// The keys of days.
    var days: [UInt32]?

    init(_ step: String, next: Next, _ job: ClusterJob? = nil) {
        self.step = step
        self.next = next
        self.job = job
        shards = job?.shards
    }

    /// The line, with its end.
    var line: [UInt8] {
        get throws {
            let encoder = JSONEncoder.stored
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return try [UInt8](encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }
}

extension ClusterStep.Date {
    /// - Parameter state: before the load; nil if the date was asked for, whatever its state.
    init(_ date: LogDate, _ state: LogDateState?, files: [InputFile]) {
        self.init(
            logDate: date.description, why: state.map(Self.why) ?? "asked", files: files.count,
            bytes: files.reduce(0) { $0 + $1.found.bytes })
    }

    private static func why(_ state: LogDateState) -> String {
        if state.partition == .missing || state.partition == .damaged { return state.partition.rawValue }
        if state.held != nil { return "held_back" }
        if state.isStale { return "stale" }
        return state.partition == .partial ? "partial" : "all"
    }
}
