import Calendar
import Cluster
import Configuration
import Events
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix

/// The only place that turns facts into English sentences: what is wrong, where, and what to do. Texts from outside are
/// escaped.
struct Sentence {
    let paths: ShownPaths

    /// For errors without relative paths.
    init(_ paths: ShownPaths = ShownPaths(FileManager.default.currentDirectoryPath)) {
        self.paths = paths
    }

    /// Without a pipeline relative paths begin in the working folder.
    init(_ pipeline: Pipeline?) {
        self.init(ShownPaths(pipeline?.folder ?? FileManager.default.currentDirectoryPath))
    }

    func of(_ error: any Error) -> String { message(error).words }

    /// The message about an error, with the file or folder that it is about.
    func message(_ error: any Error) -> Message {
        switch error {
        case let error as any MessageError: error.message.shown(paths)
        default: Message.told("error", "an error that pushetl does not expect: \("\(error)"); please report it")
        }
    }

    /// A message about a file or folder, which its sentence begins with.
    func at(_ path: String, line: Int? = nil, _ code: String, _ text: String) -> Message {
        Message.told(
            code, "\(paths(path))\(line.map { ":\($0)" } ?? ""): \(text)", path: paths.opening(path), line: line)
    }

    func of(_ reject: Reject) -> String {
        "\(paths(reject.path)):\(reject.line): \(reject.reason): "
            + (reject.detail.isEmpty ? "" : "\(reject.detail.shown): ") + reject.sample.shown
    }

    /// `counts`: whether the load's records count, that is, the date was not held back.
    func message(_ warning: LogDateReport.Warning, _ pipeline: Pipeline, counts: Bool = true) -> Message {
        switch warning {
        case .truncatedFile(let path, let packing):
            at(
                path, "truncated_file",
                "the file ends in the middle of a \(packing == .zstd ? "zstd frame" : "gzip member"); "
                    + (counts ? "its complete lines count; " : "") + "load the date again when the file is complete")
        case .shortenedFile(let path):
            at(
                path, "shortened_file",
                "the file became shorter while it was read; "
                    + (counts ? "the complete lines that were there count; " : "")
                    + "load the date again when nothing writes to it")
        case .damagedFile(let path, let members):
            at(
                path, "damaged_file",
                "the file is damaged; "
                    + (counts
                        ? "\(members == 0 ? "nothing in it" : "only what comes before the damage") counts; " : "")
                    + "load the date again with a good copy")
        case .trailingBytes(let path, let offset):
            at(path, "trailing_bytes", "the bytes from offset \(offset) on are not gzip data and were ignored")
        case .missingSource(let name, let pattern):
            Message.told(
                "missing_source",
                "source '\(name.shown)' has no files (\(paths(pattern))), so the date is partial; "
                    + "load it again when they are there, or say 'required: false'")
        case .missingFolder(let source, let folder):
            Message.told(
                "missing_folder",
                "source '\(source.shown)': the folder \(paths(folder)) does not exist; check 'files' in \(pipeline.file.shown)"
            )
        case .nothingAccepted(let source, let records, let first):
            Message.told(
                "nothing_accepted",
                "source '\(source.shown)': none of \(Text.number(records)) records was accepted; check "
                    + "\(keys(of: source, pipeline)) (\(of(first)))")
        case .unknownPlatforms(let source, let accepted):
            Message.told(
                "unknown_platforms",
                "source '\(source.shown)': all \(Text.number(accepted)) accepted records have a user agent, but none names a "
                    + "platform; check that the layout has the user agent where the lines have it")
        case .distantEvents(let source, let distant, let events, let days):
            Message.told(
                "distant_events",
                "source '\(source.shown)': \(Text.number(distant)) of \(Text.number(events)) events lie more than 24 hours outside the "
                    + "log date (the events' days: \(days.lowerBound) to \(days.upperBound)); check 'files', and the records' times"
            )
        case .unusualVolume(let deviation): Message.told("unusual_volume", "\(of(deviation)); \(advice(deviation))")
        case .unusualEvents(let deviation): Message.told("unusual_events", ofEvents(deviation))
        case .missingUsualFiles(let paths, let dates, isAccepted: false):
            Message.told("missing_usual_files", "\(list(paths)) had a file on each of the last \(dates) log dates")
        case .missingUsualFiles(let paths, let dates, isAccepted: true):
            Message.told(
                "missing_usual_files_accepted",
                "\(list(paths)) had a file on each of the last \(dates) log dates; accepted with --force")
        case .implausibleTimes(let source, let fallbacks, let accepted):
            Message.told(
                "implausible_times",
                "source '\(source.shown)': \(Text.number(fallbacks)) of \(Text.number(accepted)) accepted records have a time that cannot be "
                    + "right, so the time of receipt counts, or the log date's start; check 'time' in 'fields', and the date of 'files'"
            )
        }
    }

    /// The keys that decide whether a source's records are accepted.
    private func keys(of source: String, _ pipeline: Pipeline) -> String {
        let isCollector = pipeline.sources.contains { $0.name == source && $0.format == .collector }
        return isCollector ? "'layout' and 'dialect'" : "'layout', 'fields' and 'actions'"
    }

    /// `1,249 malformed_line, first at logs/a.log:1`
    private func of(_ count: FileTally.Count) -> String {
        let location = count.first.map { ", first at \(paths($0.path)):\($0.line)" } ?? ""
        return "\(Text.number(count.records)) \(count.reason)\(location)"
    }

    /// Why a log date was not loaded, or not completely; nil if it was.
    func message(_ date: LogDateReport, _ pipeline: Pipeline, _ report: RunReport?) -> Message? {
        switch date.verdict {
        case .complete: return nil
        case .partial:
            let end =
                report?.publishingFailure == nil
                ? "it is published as partial" : "it is not published yet: the next 'run' or 'backfill' does that"
            return Message.told("partial", "\(date.date): loaded in part, see the warnings; \(end)", logDate: date.date)
        case .heldBack(let reason): return message(reason, on: date.date, advice(reason))
        case .noFiles: return Message.told("no_files", noFiles([date.date], pipeline, report), logDate: date.date)
        case .failed(let error):
            return message(error).about(date.date, before: "\(date.date): ")
        }
    }

    /// A log date whose last load was held back, and where nothing has changed since.
    func message(heldBack state: LogDateState) -> Message? {
        state.held.map { reason in
            let isLoss = if case .loss = reason { true } else { false }
            return message(
                reason, on: state.date,
                "nothing has changed since, so it was not read again" + (isLoss ? "; --accept-loss loads it" : ""))
        }
    }

    private func message(_ reason: HoldReason, on date: LogDate, _ rest: String) -> Message {
        message(reason).about(date, before: "\(date): ", after: "; \(rest)")
    }

    /// `held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows`
    func of(_ reason: HoldReason) -> String { message(reason).words }

    func message(_ reason: HoldReason) -> Message {
        switch reason {
        case .tooManyRejects(let rejected, let records, let limit):
            Message.told(
                "held_back_too_many_rejects",
                "held back: \(Text.number(rejected)) of \(Text.number(records)) records were rejected, "
                    + "more than limits.reject_ratio (\(limit)) allows")
        case .damagedFiles(let files):
            Message.told(
                "held_back_damaged_files",
                "held back: \(list(files)) \(files.count == 1 ? "is" : "are") damaged or truncated, "
                    + "and limits.damaged_files is 'fail'")
        case .partial(let causes):
            Message.told(
                "held_back_partial",
                "held back: this load is only partial (\(of(causes))), so the complete partition was kept")
        case .foreignFiles(let files):
            Message.told(
                "held_back_foreign_files",
                "held back: \(list(files.map(\.path))) \(files.count == 1 ? "is" : "are") of a kind that is not read")
        case .unreadableFile(let path, let code):
            Message.told(
                "held_back_unreadable_file",
                code == EFBIG
                    ? "held back: \(paths(path)): is larger than 1 GiB, the most that comes through Spark from a URI"
                    : "held back: \(paths(path)): cannot be read: \(SystemError.reason(code))",
                path: paths.opening(path))
        case .linesTooLong(let source, let count):
            Message.told(
                "held_back_lines_too_long",
                "held back: source '\(source.shown)': no record was accepted, and \(Text.number(count)) "
                    + "\(count == 1 ? "is" : "are") too long (over 1 MiB, a JSON object over 8 MiB)")
        case .unusualVolume(let deviations):
            Message.told("held_back_unusual_volume", "held back: " + deviations.map { of($0) }.joined(separator: "; "))
        case .loss(let losses, let keys):
            Message.told(
                "held_back_loss",
                "held back: "
                    + Text.few(losses) { loss in
                        "source '\(loss.source.shown)' would have \(Text.number(loss.now))"
                            + (loss.action.map { " '\($0.shown)'" } ?? "")
                            + " events instead of \(Text.number(loss.before))"
                    }
                    + (keys.isEmpty ? "" : "; the pipeline differs in " + Text.few(keys, \.shown)))
        }
    }

    /// What to do about a hold.
    private func advice(_ reason: HoldReason) -> String {
        switch reason {
        case .tooManyRejects:
            "the former content is kept; fix the files or the pipeline, raise the limit, or give --force"
        case .damagedFiles: "the former content is kept; load the date again with good copies"
        case .partial: "--force would replace it"
        case .foreignFiles: "nothing was read, and the former content is kept"
        case .unreadableFile(_, EFBIG):
            "the former content is kept; split the file, or give a path on a file system that all machines share"
        case .unreadableFile: "the former content is kept; make the file readable and run again"
        case .linesTooLong:
            "the former content is kept; lines must end in LF or CRLF, not in CR alone; fix the files, or give --force"
        case .unusualVolume: "the former content is kept; check the files; if they are right, give --force"
        case .loss:
            "the former content is kept; check the pipeline and the files; if they are right, give --accept-loss"
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
}
