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

        /// The verdict for the table `loads`; nil for a log date without files.
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

    /// Whether somebody has accepted the log date as it is. `new`: by this command. `former`: by an earlier one.
    private enum Acceptance {
        case none, new, former
    }

    package let date: LogDate
    package let verdict: Verdict
    private let totals: FileTotals
    /// If the load was held back for too many rejects, the first reject of the most frequent reason.
    private var firstReject: Reject?
    private let started: Date
    /// Seconds from the beginning to the end of the load.
    package private(set) var seconds: Double

    /// The number of events of the new partition, before shared messages are considered.
    package private(set) var events = 0
    /// The days on which the partition has events, in order.
    package private(set) var days: [LogDate] = []
    /// What looks wrong with these events.
    private var eventWarnings: [Message] = []
    /// The version of the partition that stood before, if it was made from the same files; else its own, which an
    /// unreadable one of the same files had.
    private(set) var versionOfSameFiles: String?
    /// Whether the installed partition has the same content already, so that it was left alone.
    package private(set) var isUnchanged = false

    // What is known of the log date apart from its own files. It is set once all loads of a command have ended.

    /// The log date's state before the load; nil if it was not compared.
    package private(set) var stateBefore: LogDateState?
    /// The warnings that the history has of the former partition, if that was made from the same files. Nil if the
    /// history does not tell, as after a kill.
    private var standingWarnings: LoadWarnings?
    /// Warnings about files and hours that the log dates before had and this one lacks.
    private var usualWarnings: [Message] = []
    private var acceptance = Acceptance.none

    /// A load that has made a partition.
    init(
        _ date: LogDate, events: Int, days: [LogDate], eventWarnings: [Message], versionOfSameFiles: String?,
        totals: FileTotals, stopwatch: Stopwatch
    ) {
        self.date = date
        self.totals = totals
        verdict = totals.partialCauses.isEmpty ? .complete : .partial
        started = stopwatch.started
        seconds = stopwatch.seconds
        self.events = events
        self.days = days
        self.eventWarnings = eventWarnings
        self.versionOfSameFiles = versionOfSameFiles
    }

    /// A load that has made none. `rejects`: all of its files.
    init(
        _ date: LogDate, notLoaded verdict: Verdict, totals: FileTotals, rejects: [Reject] = [],
        stopwatch: Stopwatch
    ) {
        self.date = date
        self.totals = totals
        self.verdict = verdict
        started = stopwatch.started
        seconds = stopwatch.seconds
        if case .heldBack(.tooManyRejects) = verdict {
            let rejected = totals.tally.counts.filter { $0.outcome == .rejected }
            let most = rejected.max { $0.records < $1.records }
            firstReject = rejects.first { $0.reason == most?.reason }
        }
    }

    /// The report of a log date of which no file was read: it has none, or its folders could not be searched.
    init(unread date: LogDate, found: FoundInputs) {
        self.init(
            date, notLoaded: found.failure(on: date).map { .failed($0) } ?? .noFiles,
            totals: FileTotals(unread: found.files(on: date)), stopwatch: Stopwatch())
    }

    /// The report after its partition was installed, or was found to be installed already.
    func installed(isUnchanged: Bool, stopwatch: Stopwatch) -> LogDateReport {
        var report = self
        report.isUnchanged = isUnchanged
        report.seconds = stopwatch.seconds
        return report
    }

    /// The report after a comparison with the state before, with the warnings of the former partition, and with the
    /// log dates before.
    /// - Parameter isForced: whether `--force` accepts the log date whatever it lacks.
    func compared(
        with state: LogDateState?, standing: LoadWarnings? = nil, usual: [Message] = [], isForced: Bool = false
    ) -> LogDateReport {
        var report = self
        report.stateBefore = state
        report.standingWarnings = standing
        report.usualWarnings = usual
        guard isLoaded else { return report }
        let codes = Set(report.allWarnings.map(\.code.name))
        let hasGaps = !partialCauses.isEmpty || LoadWarnings(codes: Array(codes), sentences: []).haveGaps
        let isStill = standing?.isAccepted == true && (isUnchanged || codes.isSubset(of: standing?.codes ?? []))
        report.acceptance = hasGaps && isForced ? .new : isStill ? .former : .none
        return report
    }

    package var files: Int { totals.files }
    /// Bytes of the log files on disk.
    package var bytes: Int { totals.bytes }
    /// Counts of the records of all files.
    package var tally: FileTally { totals.tally }
    /// Why the load is partial, if it is.
    var partialCauses: [PartialCause] { totals.partialCauses }
    /// The number of accepted records that repeat an event.
    package var duplicates: Int { isLoaded ? max(0, tally.accepted - events) : 0 }
    /// Whether the log date's partition has the content of this load.
    package var isLoaded: Bool {
        switch verdict {
        case .complete, .partial: true
        case .heldBack, .noFiles, .failed: false
        }
    }
    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
    /// Whether it is partial, or lacks files or hours, and somebody has accepted it as it is.
    package var isAccepted: Bool { acceptance != .none }

    /// Warnings about the load. They do not stop it.
    package var warnings: [Message] {
        // Somebody has accepted these warnings, so they are not told again.
        acceptance == .former ? [] : allWarnings
    }

    private var allWarnings: [Message] {
        // The reason for the hold says enough.
        if isHeldBack { return [] }
        let accepted = Message(
            .accepted, text: "accepted as it is: no command names it again until its files change")
        let warnings =
            totals.faultyFiles.flatMap { path, report in report.messages(about: path, counts: isLoaded) }
            + totals.warnings + eventWarnings + usualWarnings
        return isAccepted ? warnings.map(\.withoutRemedy) + [accepted] : warnings
    }

    /// Codes of the warnings why a load is partial.
    private static let partialCodes: Set<MessageCode> = [.missingSource, .truncatedFile, .damagedFile, .shortenedFile]

    /// What to tell about the log date: why it was not loaded or is partial, then the warnings.
    /// - Parameter isNamed: whether a warning names the log date.
    package func notices(isNamed: Bool) -> [Notice] {
        let isFault = !isAccepted && isLoaded
        let faults = [message].compactMap { $0 } + foreignFiles
        return faults.map { Notice(.error, message: $0) }
            + warnings.map { warning in
                let isCause = isFault && LogDateReport.partialCodes.contains(warning.code)
                return Notice(isCause ? .error : .warning, message: warning.about(date, isNamed: isNamed))
            }
    }

    /// Why it was not loaded; nil if it was. `RunReport` tells of a log date without files.
    private var message: Message? {
        switch verdict {
        case .complete, .noFiles, .partial: nil
        case .heldBack(let reason): reason.message(of: date, example: firstReject)
        case .failed(let error): Message(of: error).about(date)
        }
    }

    /// If the load was held back for files of kinds that pushetl cannot read, a message for each of them.
    package var foreignFiles: [Message] {
        guard case .heldBack(.foreignFiles(let files)) = verdict else { return [] }
        return files.map { Message(.foreignFile, text: $0.text(), logDate: date, path: $0.path) }
    }

    private var isHeldBack: Bool {
        if case .heldBack = verdict { true } else { false }
    }
}

extension FileReport {
    /// What is wrong with the file. `counts`: whether the readable part of the file counts, that is, the log date was
    /// not held back.
    fileprivate func messages(about path: String, counts: Bool) -> [Message] {
        var messages: [Message] = []
        switch status {
        case .ok: break
        case .truncated where packing == .plain:
            messages.append(
                .at(
                    path, code: .shortenedFile, text: "became shorter while it was read",
                    remedy: Remedy("once it rests: ")))
        case .truncated:
            let unit = packing == .zstd ? "zstd frame" : "gzip member"
            messages.append(
                .at(
                    path, code: .truncatedFile, text: "ends in the middle of a \(unit)",
                    remedy: Remedy("once it is whole: ")))
        case .damaged:
            let rest: MessageText =
                !counts ? "" : wholeMembers == 0 ? "; nothing in it counts" : "; what comes before counts"
            messages.append(
                .at(path, code: .damagedFile, text: "is damaged\(rest)", remedy: Remedy("with a good copy: ")))
        }
        if let trailingBytesAt {
            messages.append(.at(path, code: .trailingBytes, text: .trailingBytes(from: trailingBytesAt)))
        }
        return messages
    }
}

extension Message {
    fileprivate static func at(_ path: String, code: MessageCode, text: MessageText, remedy: Remedy?) -> Message {
        var message = Message.at(path, code: code, text: text)
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
            "events": events, "duplicates": duplicates,
            "clock_fallback": tally.clockFallback, "outcomes": tally.counts,
            "days": days, "seconds": seconds,
        ])
    }
}

extension LogDateReport {
    /// The row for `loads`, with the sentences that the command prints. Paths are written as they are stored. Nil if
    /// nothing was read, if the load was stopped, or if the history has the same content and the same warnings already.
    /// Samples of rejects are left out, since they may be kept only as long as ids.
    var record: LoadRecord? {
        if acceptance == .former, isUnchanged { return nil }
        let warnings = LoadWarnings(
            codes: allWarnings.map(\.code.name), sentences: allWarnings.map { $0.about(date).sentence },
            gaps: allWarnings.compactMap(\.gap),
            isAccepted: isAccepted)
        guard let verdict = recordedVerdict, !isUnchanged || warnings != standingWarnings else { return nil }
        let faults = ([message].compactMap { $0 } + foreignFiles).map(\.withoutExample.sentence)
        let lines = (faults + warnings.sentences).map { $0.shown(.stored) }
        let detail = lines.isEmpty ? nil : lines.joined(separator: "\n")
        return LoadRecord(
            logDate: date, startedAt: started.milliseconds, finishedAt: (started + seconds).milliseconds,
            verdict: isAccepted ? .accepted : verdict, detail: detail, warnings: warnings, files: files,
            records: tally.records, accepted: tally.accepted, filtered: tally.filtered, rejected: tally.rejected,
            events: isLoaded ? events : nil, duplicates: isLoaded ? duplicates : nil)
    }

    /// The verdict as `loads` has it; nil if it is not in there.
    private var recordedVerdict: LoadRecord.Verdict? {
        if case .failed(let error) = verdict, error is Stopped { nil } else { verdict.recorded }
    }
}

extension Date {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}

extension LogDateReport {
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
