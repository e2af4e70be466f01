import Calendar
import Events
import Foundation
import LogFiles
import Posix
import Warehouse

/// The load of one log date whose files were read by tasks: it is judged, gets its counts from the shards, and is installed.
struct ClusterLoad {
    /// A load that will be installed.
    private struct Accepted {
        let results: [FileResult]
        let status: PartitionStatus
        let loaded: ClusterJob.LoadedDate
        var contents: [Manifest.Shard] = []
    }

    var report: LogDateReport
    private let plan: LogDatePlan
    private let output: OutputFolder
    private let isForced: Bool
    private var accepted: Accepted?
    private var heldBack: LogDateJudge.HeldBack?

    init(_ plan: LogDatePlan, output: OutputFolder, isForced: Bool) {
        self.plan = plan
        self.output = output
        self.isForced = isForced
        report = LogDateReport(date: plan.date, verdict: .noFiles)
    }

    /// What the shards are to load; nil if the log date is not loaded.
    var loadedDate: ClusterJob.LoadedDate? { accepted?.loaded }

    /// The verdict as `loads` has it.
    var verdict: String {
        switch report.verdict {
        case .complete: "complete"
        case .partial: "partial"
        case .heldBack: "held_back"
        case .noFiles, .failed: "failed"
        }
    }

    private var logDate: Int32 { Int32(plan.date.dayNumber) }

    /// Judges the log date by the accounts of its files, which are in the order of the plan. Returns what later log dates are
    /// compared with, if it is to be loaded.
    ///
    /// - Parameters:
    ///   - accounts: with the number of the file in the job, and its settled stamp from before the tasks.
    ///   - judged: the log dates of the same job that are to be loaded.
    mutating func judge(
        _ accounts: [(number: Int, stamp: FileStamp?, accounts: FileAccounts?)], shards: Int,
        judged: [LogDate: FormerWeeks.Judged]
    ) throws(Stopped) -> FormerWeeks.Judged? {
        guard !plan.files.isEmpty else { return nil }
        let judge = LogDateJudge(plan: plan, output: output, isForced: isForced)
        if let reason = unreadReason(accounts.compactMap(\.accounts)) {
            if case .foreignFiles(let files) = reason {
                heldBack = judge.hold(files, &report)
            } else {
                heldBack = judge.hold(reason, [], &report)
            }
            return nil
        }
        var results: [FileResult] = []
        var fingerprints: [Int: String] = [:]
        var records = [Int](repeating: 0, count: shards)
        for (file, (number, stamp, accounts)) in zip(plan.files, accounts) {
            guard case .whole(var read, let tally, let rejects, let ofShards) = accounts?.reading else { continue }
            read.stamp = stamp?.bytes == read.bytes ? stamp : nil
            results.append(FileResult(file: file, report: read, tally: tally, rejects: rejects))
            fingerprints[number] = read.fingerprint
            for (shard, count) in zip(records.indices, ofShards) { records[shard] += count }
        }
        let weeks = { [plan, output] in FormerWeeks(before: plan.date, in: output, judged: judged) }
        switch try judge.judge(results, weeks, &report) {
        case .heldBack(let load):
            heldBack = load
            return nil
        case .accepted(let status):
            let version = plan.version(status, results, shards: shards)
            report.verdict = status == .complete ? .complete : .partial
            accepted = Accepted(
                results: results, status: status,
                loaded: ClusterJob.LoadedDate(
                    logDate: logDate, version: version, status: status, files: fingerprints, records: records))
            return FormerWeeks.Judged(version: version, outcomes: plan.outcomes(results))
        }
    }

    /// Why the log date is held back although not all files were read; nil if all were. It is what a plain load finds first: it
    /// looks at the beginning of all files before it reads one.
    private func unreadReason(_ accounts: [FileAccounts]) -> HoldReason? {
        var foreign: [ForeignFile] = []
        for (file, accounts) in zip(plan.files, accounts) {
            switch accounts.reading {
            case .unopened(let code): return .unreadableFile(path: file.found.path, code: code)
            case .foreign(let kind, let isInsideGzip):
                foreign.append(ForeignFile(path: file.found.path, kind: kind, isInsideGzip: isInsideGzip))
            case .unreadable, .whole: break
            }
        }
        if !foreign.isEmpty { return .foreignFiles(foreign) }
        for (file, accounts) in zip(plan.files, accounts) {
            if case .unreadable(let code) = accounts.reading {
                return .unreadableFile(path: file.found.path, code: code)
            }
        }
        return nil
    }

    /// Takes what the shards report, by shard, and checks that no record was lost.
    mutating func add(_ contents: [Int32: [ShardReport.LoadedDate]]) throws(AccountsError) {
        guard accepted != nil else { return }
        let shards = contents[logDate] ?? []
        let (events, records) = shards.reduce((0, 0)) { ($0.0 + $1.content.events, $0.1 + $1.content.records) }
        guard records == report.tally.accepted else {
            throw .partitionMismatch(
                logDate: plan.date.description, accepted: report.tally.accepted, events: events,
                duplicates: records - events)
        }
        accepted?.contents = shards.map(\.content)
        report.events = events
        var days: [UInt16: [Int32: Int]] = [:]
        for count in shards.flatMap(\.days) { days[count.source, default: [:]][count.day, default: 0] += count.events }
        report.days = Set(days.values.flatMap(\.keys)).sorted()
        report.warnings += Plausibility(plan, accepted?.results ?? []).ofEvents(days)
    }

    /// Makes the log date count, if it is to be loaded, or stores why it was held back.
    mutating func install(shards: Int, stop: StopFlag) throws {
        if let heldBack { return try heldBack.load.write(heldBack.rejects, plan.date, in: output) }
        guard let accepted else { return }
        let version = accepted.loaded.version
        let standing = try? Partition(logDate: logDate, folder: output)
        // Whatever is wrong with the one that is there, the new one replaces it.
        report.isUnchanged =
            standing?.summary.version == version && (try? standing?.verify { stop.isRaised }) != nil
        try stop.check()
        if !report.isUnchanged {
            let writer = try PartitionWriter(logDate: logDate, folder: output, version: version)
            try writer.write(EventNames(sources: plan.pipeline.sources.map(\.name), actions: plan.pipeline.actionNames))
            try plan.writeAccounts(accepted.results, accepted.status, version: version, report, to: writer)
            try writer.install()
            try Manifest(
                logDate: logDate, version: version, idSpaces: Set(plan.pipeline.sources.map(\.idSpace)).sorted(),
                shards: accepted.contents
            ).write(in: output.partitionsPath)
        }
        try plan.noteLoaded(accepted.results, version: version, in: output)
    }
}
