import Calendar
import Foundation
import LogFiles
import Messages
import Output
import Partitions

/// The result of loading a log date.
package struct LogDateReport: Sendable {
    /// How the load ended.
    package enum Verdict: Sendable {
        case complete
        case partial
        /// The partition from before stays.
        case heldBack(HoldReason)
        case noFiles
        /// The partition from before stays.
        case failed(any Error)

        /// As `loads` has it; nil for a log date without files.
        fileprivate var recorded: LoadRecord.Verdict? {
            switch self {
            case .complete: .loaded
            case .partial: .partial
            case .heldBack: .held
            case .failed: .failed
            case .noFiles: nil
            }
        }

        /// One word for tables and JSON.
        package var word: String {
            switch self {
            case .complete: "complete"
            case .partial: "partial"
            case .heldBack: "held_back"
            case .failed: "failed"
            case .noFiles: "no_files"
            }
        }
    }

    package let date: LogDate
    package internal(set) var verdict: Verdict
    /// Whether the installed partition has the same content already, so that it was left alone.
    package internal(set) var isUnchanged = false
    /// The log date's state before the load; nil if it was not compared.
    package internal(set) var stateBefore: LogDateState?
    /// Number of log files.
    package internal(set) var files = 0
    /// Bytes of the log files on disk.
    package internal(set) var bytes = 0
    /// Counts of the records of all files.
    package internal(set) var tally = FileTally()
    /// Events of the new partition, before it is compared with others.
    package internal(set) var events = 0
    /// Days since 1970-01-01 on which the partition has events.
    package internal(set) var days: [Int32] = []
    /// Files that are not whole, or have bytes after their end.
    var faultyFiles: [(path: String, report: FileReport)] = []
    /// What else a person should know and does not stop the load.
    var otherWarnings: [Message] = []
    /// If the installed partition has the same content already, the warnings that the history keeps of it; nil if no row of it
    /// tells of the partition, as after a kill.
    package internal(set) var standingWarnings: LoadWarnings?
    /// Whether it is partial, or lacks files or hours, and somebody has accepted it as it is; and whether that is news.
    package internal(set) var isAccepted = false
    var isNewlyAccepted = false
    /// Why the load is partial, if it is.
    package internal(set) var partialCauses: [PartialCause] = []
    /// If the date was held back, the first reject of each reason.
    package internal(set) var rejects: [Reject] = []
    /// The load that is to be held back; nil once that is stored.
    var hold: HeldLoad?
    /// Seconds from the beginning to the end of the load.
    package internal(set) var seconds = 0.0
    /// When the load began and ended.
    private(set) var started = Date()
    private(set) var finished = Date()

    /// - Parameter found: the files that are there. A load that reads all of them has its own numbers.
    init(date: LogDate, verdict: Verdict, _ found: [InputFile]) {
        self.date = date
        self.verdict = verdict
        files = found.count
        bytes = found.reduce(0) { $0 + $1.found.bytes }
    }

    /// Notes how long the load has taken.
    mutating func end(_ stopwatch: Stopwatch) {
        (started, finished, seconds) = (stopwatch.started, stopwatch.finished, stopwatch.seconds)
    }

    /// What a person should know and does not stop the load.
    package var warnings: [Message] {
        // What is accepted is not told again.
        if isAccepted, !isNewlyAccepted { return [] }
        let accepted = Message(
            "accepted", "accepted as it is: no command names it again until its files change")
        return faultyFiles.flatMap { path, report in report.warnings(path, counts: isLoaded) } + otherWarnings
            + (isAccepted ? [accepted] : [])
    }

    /// Takes the log date as it is if it has gaps and somebody says so, or has said so of the same partition.
    mutating func accept(isForced: Bool) {
        let hasGaps = !partialCauses.isEmpty || LoadWarnings(codes: warnings.map(\.code), sentences: []).haveGaps
        isNewlyAccepted = hasGaps && isForced
        isAccepted = isNewlyAccepted || isUnchanged && standingWarnings?.isAccepted == true
    }

    /// Why it was not loaded, or not completely; nil if it was. `RunReport` tells of a log date without files.
    ///
    /// - Parameter isPublished: whether what was loaded is published.
    package func message(isPublished: Bool = true) -> Message? {
        switch verdict {
        case .complete, .noFiles: return nil
        case .partial where isAccepted: return nil
        case .partial:
            let end =
                isPublished
                ? "it is published as partial" : "it is not published yet: the next 'run' or 'backfill' does that"
            return Message("partial", "\(date): loaded in part, see the warnings; \(end)", logDate: date)
        case .heldBack(let reason):
            return reason.message.about(date, before: "\(date): ", after: "; \(reason.advice)")
        case .failed(let error): return Message(of: error).about(date, before: "\(date): ")
        }
    }

    /// A message for each file of a kind that is not read, for which the date is held back.
    package var foreignFiles: [Message] {
        guard case .heldBack(.foreignFiles(let files)) = verdict else { return [] }
        // Such as: is xz-compressed; pushetl reads gzip, zstd and plain text; convert it to gzip: 'xz -dc FILE | gzip'
        return files.map { Message("foreign_file", $0.text(), logDate: date, path: $0.path) }
    }

    /// If it was held back for its rejects, the first of each reason, a line each.
    package var firstRejects: MessageText {
        guard case .heldBack(.tooManyRejects) = verdict else { return "" }
        return rejects.reduce("; the first of each reason:") { $0 + "\n  " + $1.text }
    }

    /// Accepted records that are not events of the partition.
    package var duplicates: Int { max(0, tally.accepted - events) }

    /// Whether the log date's partition has the content of this load.
    package var isLoaded: Bool {
        switch verdict {
        case .complete, .partial: true
        default: false
        }
    }

    /// Of a load that is not held back.
    var partitionStatus: PartitionStatus {
        if case .complete = verdict { .complete } else { .partial }
    }

    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
}

extension FileReport {
    /// What is wrong with the file. `counts`: whether what was read of it counts, that is, the date was not held back.
    fileprivate func warnings(_ path: String, counts: Bool) -> [Message] {
        var messages: [Message] = []
        func warn(_ code: String, _ text: MessageText) { messages.append(.at(path, code, text)) }
        switch status {
        case .ok: break
        case .truncated where packing == .plain:
            let rest: MessageText = counts ? "the complete lines that were there count; " : ""
            warn(
                "shortened_file",
                "the file became shorter while it was read; \(rest)load the date again when nothing writes to it")
        case .truncated:
            let (unit, rest) = (
                packing == .zstd ? "zstd frame" : "gzip member", counts ? "its complete lines count; " : ""
            )
            warn(
                "truncated_file",
                "the file ends in the middle of a \(unit); \(rest)load the date again when the file is complete")
        case .damaged:
            let part = wholeMembers == 0 ? "nothing in it" : "only what comes before the damage"
            warn(
                "damaged_file",
                "the file is damaged; \(counts ? "\(part) counts; " : "")load the date again with a good copy")
        }
        if let trailingBytesAt {
            warn("trailing_bytes", "the bytes from offset \(trailingBytesAt) on are not gzip data and were ignored")
        }
        return messages
    }
}

extension LogDateReport: Encodable {
    /// `before`, the state before the load, is left out if the log date was not compared.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": date, "verdict": verdict.word, "unchanged": isUnchanged, "before": stateBefore,
            "exit_code": status.rawValue, "files": files, "bytes": bytes, "records": tally.records,
            "accepted": tally.accepted, "filtered": tally.filtered, "rejected": tally.rejected,
            "events": isLoaded ? events : 0, "duplicates": isLoaded ? duplicates : 0,
            "clock_fallback": tally.clockFallback, "outcomes": tally.counts,
            "days": days.map { LogDate(dayNumber: Int($0)) }, "seconds": seconds,
        ])
    }
}

extension LogDateReport {
    /// The load's row of `loads`, with the sentences that a command prints, paths as they are stored; nil if nothing was read,
    /// if the history tells of the installed partition with the same content and the same warnings, or if the load was
    /// stopped. Samples of rejects are left out, since they may be kept for so long only as ids are.
    var record: LoadRecord? {
        if isAccepted, !isNewlyAccepted { return nil }
        let warnings = LoadWarnings(
            codes: warnings.map(\.code), sentences: warnings.map { $0.text.shown(.stored) }, isAccepted: isAccepted)
        guard let verdict = recordedVerdict, !isUnchanged || warnings != standingWarnings else { return nil }
        let lines = ([message()].compactMap { $0 } + foreignFiles).map { $0.text.shown(.stored) } + warnings.sentences
        let detail = lines.isEmpty ? nil : lines.joined(separator: "\n")
        return LoadRecord(
            logDate: date, startedAt: started.milliseconds, finishedAt: finished.milliseconds,
            verdict: isAccepted ? .accepted : verdict, detail: detail, warnings: warnings, files: files,
            records: tally.records, accepted: tally.accepted, filtered: tally.filtered, rejected: tally.rejected,
            events: isLoaded ? events : nil, duplicates: isLoaded ? duplicates : nil)
    }

    /// The verdict as `loads` has it; nil if it is not in there.
    var recordedVerdict: LoadRecord.Verdict? {
        if case .failed(let error) = verdict, error is Stopped { nil } else { verdict.recorded }
    }
}

extension Date {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}

extension LogDateReport {
    /// Whether the log date has no files.
    package var hasNoFiles: Bool {
        if case .noFiles = verdict { true } else { false }
    }

    /// The exit status for this log date alone.
    package var status: ExitStatus {
        switch verdict {
        case .complete: .done
        case .heldBack(.unreadableFile): .failedIO
        case .partial where isAccepted: .done
        case .partial, .heldBack: .badData
        case .noFiles: .noInput
        case .failed(let error): ExitStatus(of: error)
        }
    }
}
