import ArgumentParser
import Calendar
import Messages
import Partitions

/// Rejects, or their counts.
struct RejectListing: CommandResult {
    struct Entry: Encodable {
        let logDate: String
        let source: String
        let path: String
        let line: Int
        let reason: String
        let detail: String
        let sample: String
    }

    struct Count: Encodable {
        let logDate: String
        let source: String
        let reason: String
        let records: Int
    }

    /// Nil if only their counts are wanted.
    private(set) var rejects: [Entry]?
    /// Nil if the rejects themselves are wanted.
    private(set) var counts: [Count]?
    private var lines: [String] = []
    /// What is said if there are none.
    private let nothing: String
    private var isEmpty = true

    private enum CodingKeys: CodingKey {
        case rejects, counts
    }

    init(isSummary: Bool, nothing: String) {
        self.nothing = nothing
        if isSummary { counts = [] } else { rejects = [] }
    }

    /// The number of rejects.
    var count: Int { rejects?.count ?? 0 }

    mutating func add(_ date: LogDate, _ reject: Reject, _ paths: ShownPaths) {
        isEmpty = false
        lines.append(reject.text.shown(paths))
        rejects?.append(
            Entry(
                logDate: date.description, source: reject.source, path: paths.opening(reject.path),
                line: reject.line, reason: reject.reason, detail: reject.detail, sample: reject.sample))
    }

    mutating func count(_ date: LogDate, _ source: String, _ reason: String, _ records: Int) {
        isEmpty = false
        counts?.append(Count(logDate: date.description, source: source, reason: reason, records: records))
    }

    /// Removes and returns the text so far.
    mutating func takeText() -> String {
        defer { (lines, rejects) = ([], []) }
        return lines.joined(separator: "\n")
    }

    var text: String {
        if isEmpty { return nothing }
        guard let counts else { return lines.joined(separator: "\n") }
        var columns = Columns([.left, .left, .left, .right])
        for count in counts {
            columns.add([count.logDate, count.source.shown, count.reason, Text.number(count.records)])
        }
        return columns.lines.joined(separator: "\n")
    }
}
