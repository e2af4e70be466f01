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
    }

    package let date: LogDate
    package internal(set) var verdict: Verdict
    /// Whether the installed partition has the same content already, so that it was left alone.
    package internal(set) var isUnchanged = false
    /// The version of the partition that stood before, if it was made from the same files.
    var versionOfSameFiles: String?
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
    /// If the partition that stood before was made from the same files, the warnings that the history keeps of it; nil if no row
    /// of it tells of the partition, as after a kill.
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
        isAccepted && !isNewlyAccepted ? [] : allWarnings
    }

    private var allWarnings: [Message] {
        // Of what is held back the reason is enough.
        if isHeldBack { return [] }
        let accepted = Message(
            "accepted", "accepted as it is: no command names it again until its files change")
        return faultyFiles.flatMap { path, report in report.messages(about: path, counts: isLoaded) } + otherWarnings
            + (isAccepted ? [accepted] : [])
    }

    /// Codes of the warnings why a load is partial.
    private static let partialCodes: Set = ["missing_source", "truncated_file", "damaged_file", "shortened_file"]

    /// What a person should know, in order: why it was not loaded, or not completely, then the warnings.
    /// - Parameter isNamed: whether a warning names the log date.
    package func notices(isNamed: Bool) -> [Notice] {
        let isFault = !isAccepted && isLoaded
        let faults = [message].compactMap { $0 } + foreignFiles
        return faults.map { Notice(.error, $0) }
            + warnings.map { warning in
                let isCause = isFault && LogDateReport.partialCodes.contains(warning.code)
                return Notice(isCause ? .error : .warning, warning.about(date, isNamed: isNamed))
            }
    }

    /// Takes the log date as it is if it has gaps and somebody says so, or has said so of the same partition.
    mutating func accept(isForced: Bool) {
        let hasGaps = !partialCauses.isEmpty || LoadWarnings(codes: warnings.map(\.code), sentences: []).haveGaps
        isNewlyAccepted = hasGaps && isForced
        let hasNoOthers = Set(warnings.map(\.code)).isSubset(of: standingWarnings?.codes ?? [])
        isAccepted = isNewlyAccepted || standingWarnings?.isAccepted == true && (isUnchanged || hasNoOthers)
    }

    /// Why it was not loaded; nil if it was. `RunReport` tells of a log date without files.
    private var message: Message? {
        switch verdict {
        case .complete, .noFiles, .partial: nil
        case .heldBack(let reason): reason.message(of: date, example: firstReject)
        case .failed(let error): Message(of: error).about(date)
        }
    }

    /// A message for each file of a kind that is not read, for which the date is held back.
    package var foreignFiles: [Message] {
        guard case .heldBack(.foreignFiles(let files)) = verdict else { return [] }
        // Such as: is xz-compressed; pushetl reads gzip, zstd and plain text; convert it to gzip: 'xz -dc FILE | gzip'
        return files.map { Message("foreign_file", $0.text(), logDate: date, path: $0.path) }
    }

    /// If it was held back for its rejects, the first of those of the most frequent reason.
    private var firstReject: Reject? {
        let rejected = tally.counts.filter { $0.outcome == .rejected }
        guard case .heldBack(.tooManyRejects) = verdict, let most = rejected.max(by: { $0.records < $1.records })
        else { return nil }
        return rejects.first { $0.reason == most.reason }
    }

    private var isHeldBack: Bool {
        if case .heldBack = verdict { true } else { false }
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

    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
}

extension FileReport {
    /// What is wrong with the file. `counts`: whether what was read of it counts, that is, the date was not held back.
    fileprivate func messages(about path: String, counts: Bool) -> [Message] {
        var messages: [Message] = []
        switch status {
        case .ok: break
        case .truncated where packing == .plain:
            messages.append(.at(path, "shortened_file", "became shorter while it was read", Remedy("once it rests: ")))
        case .truncated:
            let unit = packing == .zstd ? "zstd frame" : "gzip member"
            messages.append(
                .at(path, "truncated_file", "ends in the middle of a \(unit)", Remedy("once it is whole: ")))
        case .damaged:
            let rest: MessageText =
                !counts ? "" : wholeMembers == 0 ? "; nothing in it counts" : "; what comes before counts"
            messages.append(.at(path, "damaged_file", "is damaged\(rest)", Remedy("with a good copy: ")))
        }
        if let trailingBytesAt {
            messages.append(
                .at(
                    path, "trailing_bytes",
                    "the bytes from offset \(trailingBytesAt) on are not gzip data and were ignored", nil))
        }
        return messages
    }
}

extension Message {
    fileprivate static func at(_ path: String, _ code: String, _ text: MessageText, _ remedy: Remedy?) -> Message {
        var message = Message.at(path, code, text)
        message.remedy = remedy
        return message
    }
}

extension LogDateReport: Encodable {
    /// `before`, the state before the load, is left out if the log date was not compared.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": date, "verdict": (isAccepted ? .accepted : verdict.recorded)?.rawValue ?? "no_files",
            "unchanged": isUnchanged, "before": stateBefore,
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
        if isAccepted, !isNewlyAccepted, isUnchanged { return nil }
        let warnings = LoadWarnings(
            codes: allWarnings.map(\.code), sentences: allWarnings.map { $0.about(date).sentence },
            isAccepted: isAccepted)
        guard let verdict = recordedVerdict, !isUnchanged || warnings != standingWarnings else { return nil }
        let faults = ([message].compactMap { $0 } + foreignFiles).map(\.withoutExample.sentence)
        let lines = (faults + warnings.sentences).map { $0.shown(.stored) }
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
