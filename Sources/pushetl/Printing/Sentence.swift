import Calendar
import Cluster
import Configuration
import Events
import Foundation
import LogFiles
import Pipelines
import Posix
import SQLite
import Warehouse

/// The only place that turns facts into English sentences: what is wrong, where, and what to do. Texts from outside are
/// escaped.
struct Sentence {
    let paths: ShownPaths

    /// For errors without relative paths.
    init(_ paths: ShownPaths = ShownPaths(FileManager.default.currentDirectoryPath)) {
        self.paths = paths
    }

    init(_ pipeline: Pipeline) {
        self.init(ShownPaths(pipeline.folder))
    }

    func of(_ error: any Error) -> String {
        switch error {
        case let error as WarehouseError: of(error)
        case let error as LogFileError: of(error)
        case let error as SpillError: of(error)
        case let error as FileSearchError: of(error)
        case let error as OutputLockError: of(error)
        case let error as AccountsError: of(error)
        case let error as ClusterError: of(error)
        case let error as ShardedOutputError:
            "\(paths(error.path)): has \(error.shards) \(error.shards == 1 ? "shard" : "shards") and is written by "
                + "pushetl_spark.py only; use that, or give another output"
        case let error as ResultError: Sentence.unwritableResult(error.code)
        default: "\(error)".shown
        }
    }

    static func reason(_ code: Int32) -> String {
        if code == SystemError.notAFile { return "it is a FIFO, a socket or a device, and no file" }
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private func of(_ error: LogFileError) -> String {
        switch error.step {
        case .open, .read:
            "\(paths(error.path)): cannot be read: \(Sentence.reason(error.code)); the log date keeps its former content; "
                + "make the file readable and run again"
        case .inflate: "\(paths(error.path)): zlib could not begin (code \(error.code)); free some memory and run again"
        }
    }

    private func of(_ error: SpillError) -> String {
        switch error.step {
        case .create, .write:
            "\(paths(error.folder)): no temporary file could be written there: \(Sentence.reason(error.code)); nothing is lost; "
                + "make room, or raise --memory, and run again"
        case .read:
            "\(paths(error.folder)): a temporary file could not be read again: \(Sentence.reason(error.code)); run again"
        }
    }

    private func of(_ error: FileSearchError) -> String {
        switch error {
        case .unreadableFolder(let folder, let code):
            "\(paths(folder)): the folder cannot be searched: \(Sentence.reason(code)); make it readable and run again"
        case .unreadableFile(let path, let code):
            "\(paths(path)): cannot be looked at: \(Sentence.reason(code)); make it readable and run again"
        case .nameNotUTF8(let name):
            "\(paths(name)): the file's name is not UTF-8, so no database can hold it; rename the file and run again"
        }
    }

    private func of(_ error: OutputLockError) -> String {
        switch error {
        case .held(let output, let holder):
            "\(paths(output)): another command is writing there\(holder.isEmpty ? "" : " (\(holder.shown))"); "
                + "try again when it has ended"
        case .noFile(let path):
            "\(paths(path)): is a link, a folder or something else that is no file, and pushetl makes a file there; "
                + "nothing has changed; remove it and run again"
        case .shared(let partitions, let other):
            "\(paths(partitions)): is also the folder of the partitions of \(paths(other)); nothing has changed; "
                + "two outputs cannot share it: make it a folder of its own, or use the other output"
        case .system(let path, let call, let code):
            "\(paths(path)): \(call) failed: \(Sentence.reason(code)); nothing is lost; fix that and run again"
        }
    }

    private func of(_ error: WarehouseError) -> String {
        switch error {
        case .missing(let path): "\(paths(path)): no such file"
        case .notSQLite(let path):
            "\(paths(path)): is not a SQLite database; it was left as it is; "
                + (path.hasSuffix(".sqlite")
                    ? repairing(path) : "move the file away and run again, which makes it anew")
        case .foreign(let path, _):
            "\(paths(path)): is another application's database; it was left as it is; give another output folder"
        case .newerSchema(let path, let schema, let known):
            "\(paths(path)): was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                + "it was left as it is; use that version"
        case .corrupt(let path, let detail):
            "\(paths(path)): the database is damaged (\(detail.shown)); " + repairing(path)
        case .busy(let path):
            "\(paths(path)): a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                + "and the next 'run' or 'backfill' publishes it"
        case .full(let path): "\(paths(path)): the disk is full; nothing is lost; make room and run again"
        case .system(let path, let call, let code):
            "\(paths(path)): \(call) failed: \(Sentence.reason(code)); nothing is lost; fix that and run again"
        case .interrupted(let path):
            "\(paths(path)): a command was killed while it wrote, and you may not write there to undo it; "
                + "nothing is lost; run again as a user who may"
        case .sqlite(let path, let code, let message, let purpose):
            "\(paths(path)): SQLite: \(message.shown)\(purpose.map(Sentence.clause) ?? "") (code \(code)); "
                + "nothing is lost; fix that and run again"
        case .obstructed(let path, let objects, let detail):
            "\(paths(path)): something that others have added to it stands in the way: \(detail.shown)"
                + (objects.isEmpty ? "" : " (\(objects.joined(separator: ", ").shown))")
                + "; nothing is lost: what is loaded stays; drop that, and the next 'run' or 'backfill' publishes it"
        case .noRoom(let path, let bytes, let free):
            "\(paths(path)): must be rebuilt, which takes \(Text.bytes(bytes)), and the disk has \(Text.bytes(free)) free; "
                + "nothing is lost: what is loaded stays; make room and run again"
        case .tooManyCopies(let path, let copies):
            "\(paths(path)): must be rebuilt, and a copy of it must be kept first; there are \(copies.count) already: "
                + copies.map { paths($0) }.joined(separator: ", ") + "; move one away and run again"
        case .setAside(let path, let other):
            "\(paths(path)): is not what pushetl wrote, so rows of runs and loads that waited there are not in push.db; "
                + "it was renamed to \(paths(other)); run again"
        case .replaced(let path): "\(paths(path)): was replaced while it was being read; run again"
        case .tablesDisagree(let path, let day, let tables):
            "\(paths(path)): \(tables.joined(separator: " and ")) have different sums on \(day): "
                + "a fault of pushetl, please report it; nothing was published"
        case .disorder(let path):
            "\(paths(path)): what was to be written has no valid order or form: a fault of pushetl, please report it; "
                + "nothing was published"
        case .stopped: "stopped"
        }
    }

    /// What to do with a damaged database.
    private static func clause(_ purpose: StatementPurpose) -> String {
        switch purpose {
        case .reading(let table): " while the table \(table.shown) was being read"
        case .writing(let table): " while the table \(table.shown) was being written"
        case .changingSchema: " while tables were being made"
        case .beginning: " at the start of a transaction"
        case .committing: " at the commit"
        case .pragma(let name): " at PRAGMA \(name)"
        }
    }

    private func repairing(_ path: String) -> String {
        let name = URL(fileURLWithPath: path).lastPathComponent
        if name.hasSuffix(".json") { return "remove it, and load that log date again" }
        guard let partition = PartitionName(name) else {
            return "'doctor' says what is wrong, and the next 'run' or 'backfill' rebuilds it"
        }
        let logDate = LogDate(dayNumber: Int(partition.logDate))
        guard partition.version == nil else {
            return "load that log date again: 'run --date \(logDate)' of pushetl_spark.py"
        }
        return "push.db goes without that log date until it is loaded again: 'pushetl run --date \(logDate)'"
    }

    func of(_ reject: Reject) -> String {
        "\(paths(reject.path)):\(reject.line): \(reject.reason): "
            + (reject.detail.isEmpty ? "" : "\(reject.detail.shown): ") + reject.sample.shown
    }

    /// `counts`: whether the load's records count, that is, the date was not held back.
    func of(_ warning: LogDateReport.Warning, _ pipeline: Pipeline, counts: Bool = true) -> String {
        switch warning {
        case .truncatedFile(let path):
            "\(paths(path)): the file ends in the middle of a gzip member; "
                + (counts ? "its complete lines count; " : "") + "load the date again when the file is whole"
        case .shortenedFile(let path):
            "\(paths(path)): the file became shorter while it was read; "
                + (counts ? "the complete lines that were there count; " : "")
                + "load the date again when nothing writes to it"
        case .damagedFile(let path, let members):
            "\(paths(path)): the file is damaged; "
                + (counts ? "\(members == 0 ? "nothing in it" : "only what stands before the damage") counts; " : "")
                + "load the date again with a good copy"
        case .trailingBytes(let path, let offset):
            "\(paths(path)): bytes from offset \(offset) on are no gzip data and were ignored"
        case .missingSource(let name, let pattern):
            "source '\(name.shown)' has no files (\(paths(pattern))), so the date is partial; "
                + "load it again when they are there, or say 'required: false'"
        case .missingFolder(let source, let folder):
            "source '\(source.shown)': the folder \(paths(folder)) does not exist; check 'files' in \(pipeline.file.shown)"
        case .nothingAccepted(let source, let records, let first):
            "source '\(source.shown)': none of \(Text.number(records)) records was accepted; check "
                + "\(keys(of: source, pipeline)) (\(of(first)))"
        case .unknownPlatforms(let source, let accepted):
            "source '\(source.shown)': all \(Text.number(accepted)) accepted records have a user agent, and none tells a "
                + "platform; check that the layout has the user agent where the lines have it"
        case .distantEvents(let source, let distant, let events, let days):
            "source '\(source.shown)': \(Text.number(distant)) of \(Text.number(events)) events lie more than 24 hours outside the "
                + "log date (the events' days: \(days.lowerBound) to \(days.upperBound)); check 'files', and the records' times"
        case .unusualVolume(let deviation): "\(of(deviation)); \(advice(deviation))"
        case .implausibleTimes(let source, let fallbacks, let accepted):
            "source '\(source.shown)': \(Text.number(fallbacks)) of \(Text.number(accepted)) accepted records have a time that cannot be "
                + "right, so the time of receipt counts, or the log date's start; check 'time' in 'fields', and the date of 'files'"
        }
    }

    /// The keys that decide whether a source's records are accepted.
    private func keys(of source: String, _ pipeline: Pipeline) -> String {
        let isCollector = pipeline.sources.contains { $0.name == source && $0.format == .collector }
        return isCollector ? "'layout' and 'dialect'" : "'layout', 'fields' and 'actions'"
    }

    /// `1,249 malformed_line, first at logs/a.log:1`
    private func of(_ reason: FileTally.FrequentReason) -> String {
        let location = reason.location.map { ", first at \(paths($0.path)):\($0.line)" } ?? ""
        return "\(Text.number(reason.records)) \(reason.code)\(location)"
    }

    /// What kind of file it is, and how to convert it.
    func of(_ file: ForeignFile) -> String {
        let unpacking = file.isInsideGzip ? "gzip -dc FILE | " : ""
        let inside = file.isInsideGzip ? " inside gzip" : ""
        func compressed(_ name: String, _ command: String) -> (String, String) {
            let input = file.isInsideGzip ? "" : " FILE"
            return ("\(name)-compressed\(inside)", "make it gzip: '\(unpacking)\(command)\(input) | gzip'")
        }
        let (kind, advice) =
            switch file.kind {
            case .xz: compressed("xz", "xz -dc")
            case .zstd: compressed("zstd", "zstd -dc")
            case .lz4: compressed("lz4", "lz4 -dc")
            case .bzip2: compressed("bzip2", "bzip2 -dc")
            case .zip: ("a zip archive\(inside)", "give the files that it holds")
            case .tar: ("a tar archive\(inside)", "give the files that it holds: 'tar -xf FILE'")
            case .avro: ("an Avro file\(inside)", "export the records as lines of text or JSON")
            case .parquet: ("a Parquet file\(inside)", "export the records as lines of text or JSON")
            case .gzip: ("gzip inside gzip", "unpack it once: 'gzip -dc FILE'")
            case .utf16:
                (
                    "UTF-16 text\(inside)",
                    "make it UTF-8: '\(unpacking)iconv -f UTF-16 -t UTF-8\(file.isInsideGzip ? "" : " FILE")'"
                )
            }
        return "\(paths(file.path)): is \(kind); pushetl reads gzip and plain text; \(advice)"
    }

    /// Why a log date was not loaded, or not completely; nil if it was.
    func of(_ date: LogDateReport, _ pipeline: Pipeline, _ report: RunReport?) -> String? {
        switch date.verdict {
        case .complete: nil
        case .partial:
            "\(date.date): loaded in part, see the warnings; "
                + (report?.publishingFailure == nil
                    ? "it is published as partial" : "it is not published yet: the next 'run' or 'backfill' does that")
        case .heldBack(let reason): "\(date.date): \(of(reason)); \(advice(reason))"
        case .noFiles: noFiles([date.date], pipeline, report)
        case .failed(let error): "\(date.date): \(of(error))"
        }
    }

    /// `held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows`
    func of(_ reason: HoldReason) -> String {
        switch reason {
        case .tooManyRejects(let rejected, let records, let limit):
            "held back: \(Text.number(rejected)) of \(Text.number(records)) records were rejected, "
                + "more than limits.reject_ratio (\(limit)) allows"
        case .damagedFiles(let files):
            "held back: \(list(files)) \(files.count == 1 ? "is" : "are") damaged or truncated, "
                + "and limits.damaged_files is 'fail'"
        case .partial(let causes):
            "held back: this load is only partial (\(of(causes))), so the complete partition that stands was kept"
        case .foreignFiles(let files):
            "held back: \(list(files.map(\.path))) \(files.count == 1 ? "is" : "are") neither gzip nor plain text"
        case .unreadableFile(let path, let code):
            code == EFBIG
                ? "held back: \(paths(path)): is larger than 1 GiB, the most that comes through Spark from a URI"
                : "held back: \(paths(path)): cannot be read: \(Sentence.reason(code))"
        case .unusualVolume(let deviations): "held back: " + deviations.map { of($0) }.joined(separator: "; ")
        }
    }

    /// What to do about a hold.
    private func advice(_ reason: HoldReason) -> String {
        switch reason {
        case .tooManyRejects: "former content stands; fix the files or the pipeline, raise the limit, or give --force"
        case .damagedFiles: "former content stands; load the date again with good copies"
        case .partial: "--force would replace it"
        case .foreignFiles: "nothing was read, and former content stands"
        case .unreadableFile(_, EFBIG):
            "former content stands; split the file, or give a path on a file system that all machines share"
        case .unreadableFile: "former content stands; make the file readable and run again"
        case .unusualVolume: "former content stands; check the files; if they are right, give --force"
        }
    }

    /// `a.log.gz is truncated, source 'momo' has no files`
    func of(_ causes: [PartialCause]) -> String {
        causes.map { cause in
            switch cause {
            case .truncatedFile(let path): "\(paths(path)) is truncated"
            case .damagedFile(let path): "\(paths(path)) is damaged"
            case .missingSource(let name): "source '\(name.shown)' has no files"
            }
        }.joined(separator: ", ")
    }

    private func list(_ files: [String]) -> String { Text.few(files) { paths($0) } }

    /// Of a date with too many rejects, the first of each reason, a line each.
    func firstRejects(of date: LogDateReport) -> String {
        guard case .heldBack(.tooManyRejects) = date.verdict else { return "" }
        return "; the first of each reason:" + date.rejects.map { "\n  " + of($0) }.joined()
    }

    static func unwritableResult(_ code: Int32) -> String {
        "the result cannot be written to stdout: \(reason(code))"
    }
}
