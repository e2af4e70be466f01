import Calendar
import Cluster
import Configuration
import Events
import LogFiles
import Pipelines
import Warehouse

extension Message {
    init(_ problem: PipelineFileError.Problem) {
        self.init(
            Message.code(of: problem.fault), problem.fault.sentence.shown, path: problem.file,
            line: problem.location.line,
            column: problem.location.column)
    }

    init(_ error: any Error, _ sentence: Sentence, logDate: LogDate? = nil) {
        let (code, path) = Message.facts(error)
        self.init(code, sentence.of(error), logDate: logDate, path: path.map { sentence.paths.opening($0) })
    }

    init(_ warning: LogDateReport.Warning, _ text: String, _ paths: ShownPaths, logDate: LogDate? = nil) {
        let path: String? =
            switch warning {
            case .truncatedFile(let path), .shortenedFile(let path), .damagedFile(let path, _),
                .trailingBytes(let path, _):
                path
            default: nil
            }
        self.init(Message.code(of: warning), text, logDate: logDate, path: path.map { paths.opening($0) })
    }

    /// The code of an error, and the file or folder that it is about.
    private static func facts(_ error: any Error) -> (code: String, path: String?) {
        switch error {
        case let error as WarehouseError: (code(of: error), error.path)
        case let error as LogFileError: ("unreadable_file", error.path)
        case let error as SpillError: ("temporary_file", error.folder)
        case let error as FileSearchError:
            switch error {
            case .unreadableFolder(let path, _), .unreadableFile(let path, _), .nameNotUTF8(let path):
                (code(of: error), path)
            }
        case let error as OutputLockError:
            switch error {
            case .held(let output, _): ("output_held", output)
            case .noFile(let path): ("no_file", path)
            case .shared(let partitions, _): ("shared_partitions", partitions)
            case .system(let path, _, _): ("system", path)
            }
        case let error as AccountsError: (code(of: error), nil)
        case let error as ClusterError: (code(of: error), nil)
        case is ShardedOutputError: ("sharded_output", nil)
        case is ResultError: ("unwritable_result", nil)
        default: ("error", nil)
        }
    }

    /// Why a log date was not loaded, or not completely.
    init?(_ date: LogDateReport, _ pipeline: Pipeline, _ report: RunReport, _ sentence: Sentence) {
        guard let text = sentence.of(date, pipeline, report) else { return nil }
        switch date.verdict {
        case .complete: return nil
        case .partial: self.init("partial", text, logDate: date.date)
        case .heldBack(let reason):
            self.init(reason, text + sentence.firstRejects(of: date), date.date, sentence.paths)
        case .noFiles: self.init("no_files", text, logDate: date.date)
        case .failed(let error):
            let (code, path) = Message.facts(error)
            self.init(code, text, logDate: date.date, path: path.map { sentence.paths.opening($0) })
        }
    }

    /// A log date whose last load was held back, and where nothing has changed since.
    init?(heldBack state: LogDateState, _ sentence: Sentence) {
        guard let reason = state.held else { return nil }
        self.init(
            reason, "\(state.date): \(sentence.of(reason)); nothing has changed since, so it was not read again",
            state.date, sentence.paths)
    }

    private init(_ reason: HoldReason, _ text: String, _ date: LogDate, _ paths: ShownPaths) {
        let path: String? = if case .unreadableFile(let path, _) = reason { paths.opening(path) } else { nil }
        self.init("held_back_" + Message.code(of: reason), text, logDate: date, path: path)
    }
}
