import Calendar
import Configuration
import Messages
import Output
import Partitions
import Posix

/// What strangers may know of an output: states, sizes, counts and codes. Nothing is written, and what cannot be read is told by
/// the code of its error.
package struct OutputFacts: Sendable {
    /// How many log dates something is so of, such as `complete`, `stale` or `held`.
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
    /// The codes of errors, each once.
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
        // To compare the log files, what a killed command left undone would be undone.
        let known = published == nil ? nil : pipeline.flatMap { comparedWords(folder, pipeline: $0) }
        count(
            known
                ?? dates.map { date in
                    note { try Partition(of: date, in: folder).summary.status.rawValue } ?? "unreadable"
                })
    }

    /// What is so of the log dates, compared with the log files of now; nil if that cannot be told.
    private mutating func comparedWords(_ folder: OutputFolder, pipeline: Pipeline) -> [String]? {
        let run = PipelineRun(pipeline, output: folder.path, resources: RunResources())
        guard let known = note({ try run.knownLogDates(in: DateRange(), readLimit: 0) }) else { return nil }
        for failure in known.failures { fail(failure.message.code) }
        for warning in known.warnings { fail(warning.code) }
        return known.states.flatMap(\.words)
    }

    /// What `body` returns. If it fails, the code of the error is noted.
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

    /// Whether a text has the form of a message's code. In a push.db that others have changed, anything may stand.
    private static func isCode(_ text: String) -> Bool { text.wholeMatch(of: /[a-z][a-z_]{2,40}/) != nil }
}

extension LogDateState {
    /// What is so of it.
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
