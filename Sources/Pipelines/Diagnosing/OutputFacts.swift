import Calendar
import Configuration
import Messages
import Output
import Partitions
import Posix

/// The facts about an output that may be shown to strangers: states, sizes, counts and codes. Reading them changes
/// nothing. An error is told by its code alone.
package struct OutputFacts: Sendable {
    /// The number of log dates with a word, such as `complete`, `stale` or `held`.
    package struct Count: Encodable, Sendable {
        package let word: String
        package let logDates: Int
    }

    /// A row of `loads`, with the codes of the warnings that its log date has now.
    package struct Load: Sendable {
        package let load: PastLoad
        package let codes: [String]
    }

    /// Whether the folder is there.
    package let isThere: Bool
    /// The size of push.db; nil if it is not there.
    package let bytes: Int?
    /// The schema of push.db; nil if it is not there, or another application's.
    package let schema: Int?
    /// Whether push.db is the file that the last command left.
    package let isAsLeft: Bool
    /// The sizes of the partitions.
    package private(set) var partitionBytes: [Int] = []
    package private(set) var states: [Count] = []
    /// The latest first.
    package private(set) var loads: [Load] = []
    /// The codes of the errors met while the facts were read, each once.
    package private(set) var failures: [String] = []

    private static let mostLoads = 10
    private static let verdicts: Set = ["loaded", "partial", "accepted", "held", "failed"]

    /// - Parameter pipeline: nil if its file has errors; then the partitions are not compared with any log files.
    package init(of folder: OutputFolder, pipeline: Pipeline?) {
        let database = OutputDatabase(folder, busyTimeout: 1)
        isThere = Folder.isThere(folder.path)
        bytes = FileStamp(path: database.path)?.bytes
        let marks = DatabaseFile.marks(of: database.path)
        schema = marks.flatMap { $0.application == DatabaseFile.output(database.path).applicationID ? $0.version : nil }
        isAsLeft = database.isAsLeft
        let dates = note { try folder.logDates() } ?? []
        partitionBytes = dates.compactMap { FileStamp(path: folder.partitionPath($0))?.bytes }
        let published = note {
            (loads: try database.lastLoads(atMost: Self.mostLoads), codes: try database.warningCodes())
        }
        if let published {
            loads = published.loads.filter { Self.verdicts.contains($0.verdict) }.map { load in
                Load(load: load, codes: (published.codes[load.date] ?? []).filter(Self.isCode))
            }
        }
        // A comparison undoes the unfinished transaction of a killed command. Without a readable push.db it could
        // change something, so it is left out.
        let known = published == nil ? nil : pipeline.flatMap { comparedWords(folder, pipeline: $0) }
        count(
            known
                ?? dates.map { date in
                    note { try Partition(of: date, in: folder).summary.status.rawValue } ?? "unreadable"
                })
    }

    /// The words of all log dates, by a comparison with the present log files; nil if the comparison fails.
    private mutating func comparedWords(_ folder: OutputFolder, pipeline: Pipeline) -> [String]? {
        let run = PipelineRun(pipeline, output: folder.path, resources: RunResources())
        guard let known = note({ try run.knownLogDates(in: DateRange(), readLimit: 0) }) else { return nil }
        for failure in known.failures { fail(failure.message.code) }
        for warning in known.warnings { fail(warning.code) }
        return known.states.flatMap(\.words)
    }

    /// Returns what `body` returns. If it fails, notes the code of the error and returns nil.
    private mutating func note<Result>(_ body: () throws -> Result) -> Result? {
        do { return try body() } catch {
            fail(Message(of: error).code)
            return nil
        }
    }

    private mutating func fail(_ code: MessageCode) {
        if !failures.contains(code.name) { failures.append(code.name) }
    }

    private mutating func count(_ words: [String]) {
        states = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
            .map { Count(word: $0.key, logDates: $0.value) }
    }

    /// Whether a text looks like the code of a message. Somebody may have written any text into push.db.
    private static func isCode(_ text: String) -> Bool { text.wholeMatch(of: /[a-z][a-z_]{2,40}/) != nil }
}

extension LogDateState {
    /// The words under which the log date is counted.
    fileprivate var words: [String] {
        var words = partition == .missing && files == 0 && held == nil ? [] : [partition.rawValue]
        if phase != .open { words.append(phase.rawValue) }
        if let held { words.append(held.code == "held" ? "held" : "held: \(held.code)") }
        if isStale { words.append("stale") }
        if isShrunk { words.append("shrunk") }
        return words
    }
}

extension OutputFacts: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "exists": isThere, "push_db_bytes": bytes, "schema_version": schema, "is_as_left": isAsLeft,
            "partitions": partitionBytes.count, "partition_bytes": partitionBytes.reduce(0, +),
            "states": states, "loads": loads, "failures": failures,
        ])
    }
}

extension OutputFacts.Load: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": load.date, "verdict": load.verdict, "files": load.files, "records": load.records,
            "accepted": load.accepted, "filtered": load.filtered, "rejected": load.rejected, "warnings": codes,
        ])
    }
}
