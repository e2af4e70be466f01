import Calendar
import Messages
import Pipelines

/// The state of a log date, as a JSON object.
struct StateSummary: Encodable {
    struct Reason: Encodable {
        let reason: String
        let path: String?
        let logDate: String?

        init(_ reason: LogDateState.Reason, _ paths: ShownPaths) {
            let (code, path, date): (String, String?, LogDate?) =
                switch reason {
                case .newFile(let path): ("new_file", path, nil)
                case .changedFile(let path): ("changed_file", path, nil)
                case .goneFile(let path): ("gone_file", path, nil)
                case .unreadableFile(let path, _): ("unreadable_file", path, nil)
                case .changedComparedDate(let date): ("changed_compared_date", nil, date)
                case .changedPipeline: ("changed_pipeline", nil, nil)
                }
            self.reason = code
            self.path = path.map { paths.opening($0) }
            logDate = date?.description
        }
    }

    struct Hold: Encodable {
        /// The code of the message without `held_back_`.
        let reason: String
        let message: String

        init(_ reason: HoldReason, _ paths: ShownPaths) {
            let hold = reason.message.shown(paths)
            self.reason = hold.code.replacing("held_back_", with: "")
            message = hold.words
        }
    }

    let logDate: String
    /// Of the partition: missing, damaged, partial or complete.
    let status: String
    /// open; closed: loaded no more; settled: its figures are fixed; or erased: its ids are erased, too.
    let phase: String
    let stale: Bool
    let shrunk: Bool
    /// Why the last load was held back; absent if it was not.
    let held: Hold?
    /// Why the partition is partial or damaged; absent if it is neither.
    let detail: String?
    /// The codes of the warnings of the partition's load, and their sentences; absent if there are none. Only `status`
    /// has them.
    let warnings: [String]?
    let warningMessages: [String]?
    /// What has changed since the last load.
    let reasons: [Reason]
    /// Of the partition.
    let files: Int
    let records: Int
    let events: Int
    let rejected: Int
    /// Files that exist now, and their bytes.
    let inputFiles: Int
    let inputBytes: Int
    /// Number of files that were not compared, since reading them would take too long, or unpacking is left to a command
    /// that may write.
    let uncomparedFiles: Int
    /// Their paths; absent if there are none.
    let uncompared: [String]?

    init(_ state: LogDateState, _ paths: ShownPaths) {
        logDate = state.date.description
        status = state.partition.rawValue
        phase = state.phase.rawValue
        stale = state.isStale
        shrunk = state.isShrunk
        held = state.held.map { Hold($0, paths) }
        detail =
            state.damage.map { $0.message.text.shown(paths) }
            ?? (state.partialCauses.isEmpty ? nil : state.partialCauses.text.shown(paths))
        warnings = state.warnings.isEmpty ? nil : state.warnings.codes
        warningMessages = state.warnings.sentences.isEmpty ? nil : state.warnings.sentences
        reasons = state.reasons.map { Reason($0, paths) }
        files = state.summary?.files ?? 0
        records = state.summary?.records ?? 0
        events = state.summary?.events ?? 0
        rejected = state.summary?.rejected ?? 0
        inputFiles = state.files
        inputBytes = state.bytes
        uncomparedFiles = state.uncompared.count
        uncompared = state.uncompared.isEmpty ? nil : state.uncompared.map { paths.opening($0) }
    }
}

/// A log date that needs something, as a JSON object.
struct NeedSummary: Encodable {
    let logDate: String
    /// damaged, held_back, stale, unpublished, former_pipeline, partial, missing_usual_files, missing or not_loaded.
    let need: String
    let message: String

    init(_ need: LogDateNeed, _ paths: ShownPaths) {
        logDate = need.state.date.description
        self.need = need.kind.rawValue
        message = need.text.shown(paths)
    }
}
