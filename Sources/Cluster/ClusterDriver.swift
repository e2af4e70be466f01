import Calendar
import Foundation
import Ledger
import LogFiles
import Messages
import Output
import Partitions
import Pipelines
import Posix

/// The driver's side of a job on a cluster: it plans the files to read, judges what the tasks have read, and makes log dates count.
/// It says what is to be done, and finds the results in the job's folder and in the shards.
///
/// What it decides, it decides by the code of a plain load. No log date counts before all tasks have succeeded.
package final class ClusterDriver: LogDateLoader {
    private let askedShards: Int?
    private let channel: StepChannel
    private let run: PipelineRun
    /// The job at work; nil before it begins.
    private var job: ClusterJob?

    /// - Parameters:
    ///   - shards: the number of shards; nil for those that the output has.
    ///   - input: gives the answers, as an open descriptor.
    ///   - output: gets one line per step, as an open descriptor.
    package init(_ run: PipelineRun, shards: Int?, input: Int32, output: Int32) {
        askedShards = shards
        channel = StepChannel(input: input, output: output, stop: run.resources.stop)
        self.run = run
    }

    /// - Throws: if the output has other shards than were asked for, or plain partitions.
    package func check() throws {
        _ = try shards()
    }

    private func shards() throws -> Int {
        let output = run.output
        if let shards = output.shardCount() {
            guard askedShards ?? shards == shards else {
                throw Fault(
                    "other_shards",
                    "\(path: output.path): has \(shards) shards, and --shards says \(askedShards ?? 0); the first load "
                        + "decides: leave --shards out, or load everything into another output", .badPipeline)
            }
            return shards
        }
        guard try !output.logDates().contains(where: { access(output.partitionPath($0, version: nil), F_OK) == 0 })
        else {
            throw Fault(
                "plain_output",
                "\(path: output.path): was written by a plain 'run' or 'backfill' and has no shards; "
                    + "go on with these, or give another output", .badPipeline)
        }
        guard let askedShards else {
            throw Fault(
                "unknown_shards", "\(path: output.path): has no shards yet; give their number with --shards",
                .badPipeline)
        }
        return askedShards
    }

    /// Asks for the files at URIs.
    package func listing(on dates: [LogDate]) throws -> FileListing {
        let patterns = run.pipeline.sources.flatMap(\.files.atURIs)
        var listing = FileListing()
        guard !patterns.isEmpty else { return listing }
        var step = ClusterStep("plan", next: .find)
        step.globs = patterns.map { $0.hadoopGlob(on: dates.count == 1 ? dates[0] : nil) }
        let answer = try channel.ask(step)
        guard let found = try? JSONDecoder().decode([[FileListing.File]].self, from: answer),
            found.count == patterns.count
        else {
            throw Fault(
                "unreadable_listing",
                "stdin does not have a list of files; use pushetl_spark.py of the same version")
        }
        for (pattern, files) in zip(patterns, found) { listing.add(files, of: pattern) }
        return listing
    }

    /// Says on an open descriptor that there is nothing left to do but to print the result.
    package static func sayDone(to output: Int32) throws {
        try StepChannel(input: -1, output: output, stop: StopFlag()).say(ClusterStep("finish", next: .done))
    }

    /// Begins a job, and loads log dates by tasks.
    ///
    /// - Throws: if the job cannot be done. Then no log date is loaded.
    package func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState], in held: HeldOutput
    ) throws -> [LogDateReport] {
        let stopwatch = Stopwatch()
        let shards = try shards()
        let unjudged = dates.map { date in
            let files = found.failure(on: date) == nil ? found.files(on: date) : []
            var load = ClusterLoad(
                LogDatePlan(run.pipeline, date: date, files: files), output: run.output, resources: run.resources)
            if let failure = found.failure(on: date) { load.report.verdict = .failed(failure) }
            return load
        }
        var job = try ClusterJob(
            run.pipeline, in: held, versions: try run.database.readableVersions(), shards: shards,
            files: unjudged.map { ($0.plan.date, $0.plan.files) })
        self.job = job
        let accounts = try map(job, states, unjudged)
        var loads = unjudged
        var losses: [LogDate: HoldReason] = [:]
        var isLost = false
        repeat {
            loads = unjudged
            try judge(&loads, accounts, shards: shards, losses)
            try job.load(loads.compactMap(\.loadedDate))
            self.job = job
            guard !job.dates.isEmpty else { break }
            try reduce(job, loads.map(\.report))
            isLost = false
            for index in loads.indices {
                if let loss = try loads[index].takeShards() {
                    losses[dates[index]] = loss
                    isLost = true
                }
            }
        } while isLost
        for index in loads.indices { try loads[index].install(in: held, stop: run.resources.stop) }
        for index in loads.indices { loads[index].report.end(stopwatch) }
        return loads.map(\.report)
    }

    /// Asks for all files to be read. Returns their accounts, by their numbers.
    private func map(
        _ job: ClusterJob, _ states: [LogDate: LogDateState], _ loads: [ClusterLoad]
    ) throws -> [MappedFile.Accounts] {
        let isRead = loads.flatMap(\.plan.files).map { file in
            file.found.isLocal || file.found.bytes <= FileListing.mostBytes
        }
        var step = ClusterStep("plan", next: .map, job)
        step.dates = Dictionary(
            uniqueKeysWithValues: loads.map { ($0.plan.date.description, ClusterStep.why(states[$0.plan.date])) })
        step.files = job.files.filter { isRead[$0.index] }
        if isRead.contains(true) { _ = try channel.ask(step) }
        return try job.files.map { file in
            guard isRead[file.index] else { return .unopened(code: EFBIG) }
            let mapped = try MappedFile(job.path(of: file.index), logFile: file.path)
            _ = try mapped.head(job)
            let accounts = try mapped.accounts()
            if case .whole(_, let tally, _, let records) = accounts {
                guard tally.isWellFormed, records.count == job.shards else {
                    throw ClusterError.damagedFile(job.path(of: file.index))
                }
            }
            return accounts
        }
    }

    /// Judges log dates by the accounts of all files.
    /// - Parameter losses: why log dates are to be held back that pass all other checks.
    private func judge(
        _ loads: inout [ClusterLoad], _ accounts: [MappedFile.Accounts], shards: Int, _ losses: [LogDate: HoldReason]
    ) throws(Stopped) {
        var judged: [LogDate: FormerWeeks.Judged] = [:]
        var number = 0
        for index in loads.indices {
            let date = loads[index].plan.date
            let files = number..<(number + loads[index].plan.files.count)
            judged[date] = try loads[index].judge(
                accounts[files], shards: shards, judged: judged, loss: losses[date])
            number = files.upperBound
        }
    }

    /// Asks the shards to load what was judged, and for their ledgers of that.
    private func reduce(_ job: ClusterJob, _ reports: [LogDateReport]) throws {
        var step = ClusterStep("judge", next: .reduce, job)
        step.verdicts = Dictionary(
            uniqueKeysWithValues: reports.compactMap { report in
                report.recordedVerdict.map { (report.date.description, $0.rawValue) }
            })
        _ = try channel.ask(step)
        guard let shard = ledgers(job).firstOther() else { return }
        throw Fault(
            "other_ledger",
            "the ledger of shard \(shard) does not hold what was loaded, as if a late task had written it; "
                + ClusterError.again)
    }

    /// The shards as they are after the job.
    private func shards(_ job: ClusterJob) -> [OutputFolder] {
        let versions = job.after
        return (0..<job.shards).map { run.output.shard($0, versions: versions) }
    }

    private func ledgers(_ job: ClusterJob) -> ShardLedgers {
        ShardLedgers(shards(job), run.settings, resources: run.resources.publishing)
    }

    /// Has the shards bring their ledgers up, if these have what a dead job has left, or other settings, or were changed by
    /// something else.
    package func prepareToPublish() throws {
        guard let job else { return }
        let ledgers = ledgers(job)
        // Tasks that have loaded something have seen themselves whether they are as they were left.
        if try ledgers.firstOther() != nil || job.dates.isEmpty && !ledgers.changed().isEmpty { try reduce(job, []) }
    }

    package func end(in held: HeldOutput) {
        if let job { PartitionDamage.store(job.damage(in: held.folder), in: held) }
        // What is left takes room only, and the next job removes it.
        try? held.removeUnnamedVersions()
    }
}
