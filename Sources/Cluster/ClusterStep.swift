import Foundation
import Partitions
import Pipelines

/// What the driver says before it waits for an answer. One line of JSON.
struct ClusterStep: Encodable {
    /// What is to be done now.
    enum Next: String, Encodable {
        case find, map, reduce, done
    }

    let step: String
    let next: Next
    /// The path of the job's folder.
    var job: String?
    var shards: Int?
    /// Globs of Hadoop.
    var globs: [String]?
    /// By log date, why it is loaded.
    var dates: [String: String]?
    var files: [ClusterJob.File]?
    /// By log date.
    var verdicts: [String: String]?

    init(_ step: String, next: Next, _ job: ClusterJob? = nil) {
        self.step = step
        self.next = next
        self.job = job?.folder
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

    /// Why a log date is loaded.
    /// - Parameter state: before the load; nil if the date was asked for, whatever its state.
    static func why(_ state: LogDateState?) -> String {
        guard let state else { return "asked" }
        if state.partition == .missing || state.partition == .damaged { return state.partition.rawValue }
        if state.held != nil { return "held_back" }
        if state.isStale { return "stale" }
        return state.partition == .partial ? "partial" : "all"
    }
}
