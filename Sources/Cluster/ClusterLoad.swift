import Calendar
import Counting
import Events
import Messages
import Partitions
import Pipelines
import Posix

/// The load of one log date whose files were read by tasks: it is judged, gets its counts from the shards, and is installed.
struct ClusterLoad {
    var report: LogDateReport
    /// What the shards are to load; nil if the log date is not loaded.
    private(set) var loadedDate: ClusterJob.LoadedDate?
    let plan: LogDatePlan
    private let output: OutputFolder
    private let judge: LogDateJudge
    private var results: [FileResult] = []
    /// By shard.
    private var contents: [Manifest.Shard] = []

    init(_ plan: LogDatePlan, output: OutputFolder, resources: RunResources) {
        self.plan = plan
        self.output = output
        judge = LogDateJudge(plan: plan, output: output, resources: resources)
        report = LogDateReport(date: plan.date, verdict: .noFiles, plan.files)
    }

    /// Judges the log date by the accounts of its files, which are in the order of the plan. Returns what later log dates are
    /// compared with, if it is to be loaded.
    ///
    /// - Parameters:
    ///   - accounts: by the number of the file in the job.
    ///   - judged: the log dates of the same job that are to be loaded.
    ///   - loss: what `takeShards` has found; nil if it was not asked yet, or has found nothing.
    mutating func judge(
        _ accounts: ArraySlice<MappedFile.Accounts>, shards: Int, judged: [LogDate: FormerWeeks.Judged],
        loss: HoldReason?
    ) throws(Stopped) -> FormerWeeks.Judged? {
        guard !plan.files.isEmpty else { return nil }
        if let reason = unreadReason(accounts) {
            judge.hold(reason, [], &report)
            return nil
        }
        var fingerprints: [Int: String] = [:]
        var records = [Int](repeating: 0, count: shards)
        for ((file, stamp), number) in zip(zip(plan.files, plan.stamps), accounts.indices) {
            guard case .whole(var read, let tally, let rejects, let ofShards) = accounts[number] else { continue }
            // That of a task would depend on when it looks. A later write changes this one, so it never vouches for other bytes
            // than those that were read.
            read.stamp = stamp?.bytes == read.bytes ? stamp : nil
            results.append(FileResult(file: file, report: read, tally: tally, rejects: rejects))
            fingerprints[number] = read.fingerprint
            for (shard, count) in zip(records.indices, ofShards) { records[shard] += count }
        }
        let weeks = { [plan, output] in FormerWeeks(before: plan.date, in: output, judged: judged) }
        try judge.judge(results, weeks, &report)
        if let loss, report.isLoaded { judge.hold(loss, results, &report) }
        guard report.isLoaded else { return nil }
        let status = report.partitionStatus
        let version = plan.version(status, results, layout: ["shards \(shards)"])
        loadedDate = ClusterJob.LoadedDate(
            logDate: Int32(plan.date.dayNumber), version: version, status: status, files: fingerprints, records: records
        )
        return (version, plan.outcomes(results))
    }

    /// Why the log date is held back although not all files were read; nil if all were. It is what a plain load finds first: it
    /// looks at the beginning of all files before it reads one.
    private func unreadReason(_ accounts: ArraySlice<MappedFile.Accounts>) -> HoldReason? {
        var foreign: [ForeignFile] = []
        var unreadable: HoldReason?
        for (file, accounts) in zip(plan.files, accounts) {
            let path = file.found.path
            switch accounts {
            case .unopened(let code): return .unreadableFile(path: path, code: code)
            case .foreign(let file): foreign.append(file)
            case .unreadable(let code): unreadable = unreadable ?? .unreadableFile(path: path, code: code)
            case .whole: break
            }
        }
        return foreign.isEmpty ? unreadable : .foreignFiles(foreign)
    }

    /// Takes what the shards have written of the log date, and checks that no record was lost. Returns why it must be held back
    /// after all; nil if it may be loaded.
    mutating func takeShards() throws -> HoldReason? {
        guard let loadedDate else { return nil }
        var (days, actions): ([Int: [Int: Int]], [Int: [Int: Int]]) = ([:], [:])
        contents = try loadedDate.records.indices.map { shard in
            let folder = output.shard(shard, versions: [loadedDate.logDate: loadedDate.version])
            guard FileStamp(path: folder.partitionPath(loadedDate.logDate)) != nil else {
                throw Fault(
                    "missing_shard",
                    "no task has written what shard \(shard) has of the log date; \(ClusterError.again)")
            }
            let partition = try Partition(logDate: loadedDate.logDate, folder: folder)
            let daily = try partition.dailyActions()
            days.merge(daily.eventsBySourceAndDay) { $0.merging($1, uniquingKeysWith: +) }
            actions.merge(daily.eventsBySourceAndAction) { $0.merging($1, uniquingKeysWith: +) }
            return Manifest.Shard(events: partition.summary.events, records: partition.summary.records)
        }
        if let loss = try judge.lossReason(actions, results) { return loss }
        try judge.count(
            events: contents.reduce(0) { $0 + $1.events }, records: contents.reduce(0) { $0 + $1.records }, days,
            of: results, in: &report)
        return nil
    }

    /// Makes the log date count, if it is to be loaded, or stores why it was held back.
    mutating func install(in held: HeldOutput, stop: StopFlag) throws {
        try report.hold?.write(plan.date, in: held)
        report.hold = nil
        guard let loadedDate else { return }
        let version = loadedDate.version
        let writer = try PartitionWriter(logDate: loadedDate.logDate, folder: output, version: version)
        try writer.write(EventNames(sources: plan.pipeline.sources.map(\.name), actions: plan.pipeline.actionNames))
        try plan.writeAccounts(results, version: version, report, to: writer)
        report.isUnchanged = try plan.install(writer, version: version, in: output, stop: stop)
        if !report.isUnchanged {
            try held.write(
                Manifest(
                    logDate: loadedDate.logDate, version: version,
                    idSpaces: Set(plan.pipeline.sources.map(\.idSpace)).sorted(), shards: contents))
        }
        try plan.noteLoaded(results, version: version, in: held)
    }
}
