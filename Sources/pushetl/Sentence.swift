import Events
import Foundation
import LogFiles
import Pipelines
import Warehouse

/// The one place that makes English of facts: what, where, and what to do.
enum Sentence {
    static func of(_ error: any Error) -> String {
        switch error {
        case let error as WarehouseError: of(error)
        case let error as LogFileError: of(error)
        case let error as SpillError: of(error)
        case let error as SpaceError: of(error)
        case let error as FileSearchError: of(error)
        case let error as OutputLockError: of(error)
        case let error as AccountsError: of(error)
        default: "\(error)"
        }
    }

    static func reason(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func of(_ error: LogFileError) -> String {
        switch error.step {
        case .open, .read:
            "\(error.path): cannot be read: \(reason(error.code)); the log date keeps its former content; "
                + "make the file readable and run again"
        case .inflate: "\(error.path): zlib could not begin (code \(error.code)); free some memory and run again"
        }
    }

    private static func of(_ error: SpillError) -> String {
        switch error.step {
        case .create, .write:
            "\(error.folder): no temporary file could be written there: \(reason(error.code)); nothing is lost; "
                + "make room, or raise --memory, and run again"
        case .read: "\(error.folder): a temporary file could not be read again: \(reason(error.code)); run again"
        }
    }

    private static func of(_ error: SpaceError) -> String {
        "\(error.folder): loading takes about \(Text.bytes(error.needed)) there, and only \(Text.bytes(error.free)) are "
            + "free; nothing was changed; make room, or choose another folder with --output, and run again"
    }

    private static func of(_ error: FileSearchError) -> String {
        switch error {
        case .unreadableFolder(let folder, let code):
            "\(folder): the folder cannot be searched: \(reason(code)); make it readable and run again"
        case .unreadableFile(let path, let code):
            "\(path): cannot be looked at: \(reason(code)); make it readable and run again"
        case .nameNotUTF8(let name):
            "\(name): the file's name is no UTF-8, so no database can hold it; rename the file and run again"
        }
    }

    private static func of(_ error: OutputLockError) -> String {
        switch error {
        case .held(let output, let holder):
            "\(output): another command is writing there\(holder.isEmpty ? "" : " (\(holder))"); "
                + "try again when it has ended"
        case .system(let path, let call, let code):
            "\(path): \(call) failed: \(reason(code)); nothing is lost; mend that and run again"
        }
    }

    private static func of(_ error: AccountsError) -> String {
        let fault = "a fault of pushetl, please report it; nothing was published"
        switch error {
        case .fileMismatch(let path, let records, let accepted, let filtered, let rejected):
            return
                "\(path): \(records) records, but \(accepted) accepted + \(filtered) filtered + \(rejected) rejected: "
                + fault
        case .partitionMismatch(let logDate, let accepted, let events, let duplicates):
            return "\(logDate): \(accepted) records accepted, but \(events) events + \(duplicates) duplicates: " + fault
        }
    }

    private static func of(_ error: WarehouseError) -> String {
        switch error {
        case .missing(let path): "\(path): no such file"
        case .notSQLite(let path):
            "\(path): is no SQLite database; it was left as it is; " + mending(path)
        case .foreign(let path, _):
            "\(path): is another application's database; it was left as it is; give another output folder"
        case .newerSchema(let path, let schema, let known):
            "\(path): was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                + "it was left as it is; use that version"
        case .corrupt(let path, let detail):
            "\(path): the database is damaged (\(detail)); "
                + (path.hasSuffix("/push.db") ? "the next 'run' or 'backfill' puts it right" : mending(path))
        case .busy(let path):
            "\(path): a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                + "and the next 'run' or 'backfill' publishes it"
        case .full(let path): "\(path): the disk is full; nothing is lost; make room and run again"
        case .system(let path, let call, let code):
            "\(path): \(call) failed: \(reason(code)); nothing is lost; mend that and run again"
        case .interrupted(let path):
            "\(path): a command was killed while it wrote, and you may not write there to undo it; "
                + "nothing is lost; run again as a user who may"
        case .sqlite(let path, let code, let message):
            "\(path): SQLite: \(message) (code \(code)); nothing is lost; mend that and run again"
        case .replaced(let path): "\(path): was replaced while it was being read; run again"
        case .disorder(let path):
            "\(path): blocks came out of order: a fault of pushetl, please report it; nothing was published"
        case .stopped: "stopped"
        }
    }

    /// What to do with a damaged database.
    private static func mending(_ path: String) -> String {
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard name.hasSuffix(".sqlite") else { return "move the file away and run again, which makes it anew" }
        return "push.db goes without that log date until it is loaded again: 'pushetl run --date \(name.dropLast(7))'"
    }

    static func of(_ reject: Reject) -> String {
        "\(reject.path):\(reject.line): \(reject.reason): \(reject.sample)"
    }

    /// `counts`: whether anything of this load does.
    static func of(_ warning: LogDateReport.Warning, _ pipeline: Pipeline, counts: Bool = true) -> String {
        switch warning {
        case .truncatedFile(let path):
            "\(path): the file ends in the middle of a gzip member; "
                + (counts ? "its complete lines count; " : "") + "load the date again when the file is whole"
        case .damagedFile(let path, let members):
            "\(path): the file is damaged; "
                + (counts ? "\(members == 0 ? "nothing in it" : "only what stands before the damage") counts; " : "")
                + "load the date again with a good copy"
        case .trailingBytes(let path, let offset):
            "\(path): bytes from offset \(offset) on are no gzip data and were ignored"
        case .missingSource(let name, let pattern):
            "source '\(name)' has no files (\(pattern)), so the date is partial; "
                + "load it again when they are there, or say 'required: false'"
        case .missingFolder(let source, let folder):
            "source '\(source)': the folder \(folder) does not exist; check 'files' in \(pipeline.file)"
        }
    }

    /// What kept a log date from being loaded whole; nil if nothing did.
    static func of(_ date: LogDateReport, _ pipeline: Pipeline, _ report: RunReport?) -> String? {
        switch date.verdict {
        case .complete: nil
        case .partial: "\(date.date): loaded in part, see the warnings; it is published as partial"
        case .completeOneKept:
            "\(date.date): this load is only partial, so the complete partition that stands was kept; "
                + "--force would replace it"
        case .tooManyRejects:
            "\(date.date): held back: \(Text.number(date.tally.rejected)) of \(Text.number(date.tally.records)) "
                + "records were rejected, more than limits.reject_ratio (\(pipeline.rejectRatio)) allows; "
                + "former content stands; mend the files or the pipeline, or raise the limit; the first of each reason:"
                + date.rejects.map { "\n  " + of($0) }.joined()
        case .damagedFiles:
            "\(date.date): held back: a file is damaged or truncated, and limits.damaged_files is 'fail'; "
                + "former content stands"
        case .noFiles:
            "\(date.date): no source has files; \(outcome(of: report))check the date, and 'files' in \(pipeline.file)"
        case .failed(let error): "\(date.date): \(of(error))"
        }
    }
}
