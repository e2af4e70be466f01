import Pipelines

/// How a log date stands, as a JSON object.
struct StateSummary: Encodable {
    struct Reason: Encodable {
        let reason: String
        let path: String?

        init(_ reason: LogDateState.Reason) {
            switch reason {
            case .newFile(let path): (self.reason, self.path) = ("new_file", path)
            case .changedFile(let path): (self.reason, self.path) = ("changed_file", path)
            case .unreadableFile(let path, _): (self.reason, self.path) = ("unreadable_file", path)
            case .goneFile(let path): (self.reason, self.path) = ("gone_file", path)
            case .changedPipeline: (self.reason, self.path) = ("changed_pipeline", nil)
            }
        }
    }

    let logDate: String
    let state: String
    let stale: Bool
    let shrunk: Bool
    let reasons: [Reason]
    /// Those that are there now.
    let files: Int
    let bytes: Int

    init(_ state: LogDateState) {
        logDate = state.date.description
        self.state = state.standing.rawValue
        stale = state.isStale
        shrunk = state.isShrunk
        reasons = state.reasons.map { Reason($0) }
        files = state.files
        bytes = state.bytes
    }
}
