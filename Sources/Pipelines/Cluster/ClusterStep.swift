import Calendar

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

    struct File: Encodable {
        let index: Int
        let logDate: String
        let source: String
        let path: String
        let location: String
        let bytes: Int
    }

    struct Verdict: Encodable {
        let logDate: String
        let verdict: String
    }

    let step: String
    let next: Next
    var shards: Int?
    var job: ClusterJob?
    /// Globs of Hadoop.
    var globs: [String]?
    var dates: [Date]?
    var files: [File]?
    var verdicts: [Verdict]?
    /// The keys of days.
    var days: [UInt32]?

    private enum CodingKeys: String, CodingKey {
        case step, next, shards, job, globs, dates, files, verdicts, days
    }

    init(_ step: String, next: Next, _ job: ClusterJob? = nil) {
        self.step = step
        self.next = next
        self.job = job
        shards = job?.shards
    }

    /// The line, with its end.
    var line: [UInt8] {
        get throws { try Documents.bytes(self) + [UInt8(ascii: "\n")] }
    }
}

extension ClusterStep.Date {
    private enum CodingKeys: String, CodingKey {
        case why, files, bytes
        case logDate = "log_date"
    }

    /// - Parameter state: before the load; nil if the date was asked for, whatever its state.
    init(_ date: LogDate, _ state: LogDateState?, files: [InputFile]) {
        logDate = date.description
        self.files = files.count
        bytes = files.reduce(0) { $0 + $1.found.bytes }
        why =
            if let state {
                if state.partition == .missing {
                    "missing"
                } else if state.partition == .damaged {
                    "damaged"
                } else if state.held != nil {
                    "held_back"
                } else if state.isStale {
                    "stale"
                } else {
                    state.partition == .partial ? "partial" : "all"
                }
            } else {
                "asked"
            }
    }
}

extension ClusterStep.File {
    private enum CodingKeys: String, CodingKey {
        case index, source, path, location, bytes
        case logDate = "log_date"
    }
}

extension ClusterStep.Verdict {
    private enum CodingKeys: String, CodingKey {
        case verdict
        case logDate = "log_date"
    }
}
