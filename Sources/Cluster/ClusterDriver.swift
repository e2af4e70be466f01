import Calendar
import Counting
import Foundation
import LogFiles
import Pipelines
import Posix
import Warehouse

/// The driver's side of a job on a cluster: it plans the files to read, judges what the tasks have read, asks the shards for
/// their figures, and makes log dates count. It prints what is to be done, and reads frames with the results.
///
/// What it decides, it decides by the code of a plain load. Nothing of it is in the output before all tasks have succeeded.
package final class ClusterDriver: LogDateLoader {
    private let askedShards: Int?
    private let writer: FrameWriter
    private let reader: FrameReader
    private let run: PipelineRun
    /// The job at work; nil before it begins.
    private var job: ClusterJob?

    /// - Parameters:
    ///   - shards: the number of shards; nil for those that the output has.
    ///   - input: gives frames, as an open descriptor.
    ///   - output: gets one line per step, as an open descriptor.
    package init(_ run: PipelineRun, shards: Int?, input: Int32, output: Int32) {
        askedShards = shards
        writer = FrameWriter(output)
        reader = FrameReader(input, stop: run.resources.stop)
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
                throw ClusterError.otherShards(output: output.path, shards: shards, asked: askedShards ?? 0)
            }
            return shards
        }
        guard try !output.logDates().contains(where: { access(output.partitionPath($0, version: nil), F_OK) == 0 })
        else { throw ClusterError.plainOutput(path: output.path) }
        guard let askedShards else { throw ClusterError.unknownShards(output: output.path) }
        return askedShards
    }

    /// Asks for the files at URIs.
    package func listing(on dates: [LogDate]) throws -> FileListing {
        let patterns = run.pipeline.sources.flatMap(\.files.atURIs)
        var listing = FileListing()
        guard !patterns.isEmpty else { return listing }
        var step = ClusterStep("plan", next: .find)
        step.globs = patterns.map { $0.hadoopGlob(on: dates.count == 1 ? dates[0] : nil) }
        try writer.write(step.line)
        let document = Data(try reader.document())
        guard let found = try? JSONDecoder().decode([[FileListing.File]].self, from: document),
            found.count == patterns.count
        else { throw ClusterError.unreadableListing }
        for (pattern, files) in zip(patterns, found) { listing.add(files, of: pattern) }
        return listing
    }

    /// Says on an open descriptor that there is nothing left to do but to print the result.
    package static func sayDone(to output: Int32) throws {
        try FrameWriter(output).write(ClusterStep("finish", next: .done).line)
    }

    /// Begins a job, removes what others have left, and loads log dates by tasks.
    ///
    /// - Throws: if the job cannot be done. Then no log date is loaded.
    package func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState]
    ) throws -> [LogDateReport] {
        let stopwatch = Stopwatch()
        let shards = try shards()
        try run.database.removeUnnamedVersions()
        let unjudged = dates.map { date in
            var load = ClusterLoad(
                LogDatePlan(
                    run.pipeline, date: date, files: found.failure(on: date) == nil ? found.files(on: date) : []),
                output: run.output, resources: run.resources)
            if let failure = found.failure(on: date) { load.report.verdict = .failed(failure) }
            return load
        }
        var job = try ClusterJob(
            run.pipeline, output: run.database, shards: shards,
            files: unjudged.map { ($0.plan.date, $0.plan.files) })
        self.job = job
        let accounts = try read(
            job, dates.map { ClusterStep.Date($0, states[$0], files: found.files(on: $0)) }, unjudged)
        var loads = unjudged
        var losses: [LogDate: HoldReason] = [:]
        var isLost = false
        repeat {
            loads = unjudged
            try judge(&loads, accounts, shards: shards, losses)
            job.dates = loads.compactMap(\.loadedDate)
            self.job = job
            guard !job.dates.isEmpty else { break }
            let contents = try count(job, verdicts: loads.compactMap(\.verdict))
            isLost = false
            for index in loads.indices {
                let ofShards = contents[Int32(dates[index].dayNumber)] ?? []
                if let loss = try loads[index].lossReason(ofShards) {
                    losses[dates[index]] = loss
                    isLost = true
                }
                try loads[index].add(ofShards)
            }
        } while isLost
        for index in loads.indices { try loads[index].install(stop: run.resources.stop) }
        for index in loads.indices { loads[index].report.end(stopwatch) }
        return loads.map(\.report)
    }

    /// Judges log dates by the accounts of all files.
    /// - Parameter losses: why log dates are to be held back that pass all other checks.
    private func judge(
        _ loads: inout [ClusterLoad], _ accounts: [FileAccounts], shards: Int, _ losses: [LogDate: HoldReason]
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

    package func end() {
        job?.end()
        // What is left takes room only, and the next job removes it.
        try? run.database.removeUnnamedVersions()
    }

    /// Asks for the accounts of all files, by their numbers.
    private func read(
        _ job: ClusterJob, _ dates: [ClusterStep.Date], _ loads: [ClusterLoad]
    ) throws -> [FileAccounts] {
        let isRead = loads.flatMap(\.plan.files).map { file in
            file.found.isLocal || file.found.bytes <= FileListing.mostBytes
        }
        var step = ClusterStep("plan", next: .map, job)
        step.dates = dates
        step.files = job.files.filter { isRead[$0.index] }
        let documents = try isRead.contains(true) ? ask(step, .accounts, job, for: FileAccounts.self) : nil
        return try job.files.map { file in
            guard isRead[file.index] else { return .unopened(code: EFBIG) }
            guard let accounts = try documents?.value(from: file.index) else {
                throw ClusterError.missingFile(path: file.path)
            }
            if case .whole(_, let tally, _, _) = accounts, !tally.isWellFormed { throw ClusterError.damagedFrame }
            return accounts
        }
    }

    /// Asks the shards to load what was judged, and to count. Sets the figures. Returns what the shards report of each loaded
    /// log date, by shard.
    private func count(
        _ job: ClusterJob, verdicts: [ClusterStep.Verdict]
    ) throws -> [Int32: [ShardReport.LoadedDate]] {
        var step = ClusterStep(verdicts.isEmpty ? "plan" : "judge", next: .reduce, job)
        step.verdicts = verdicts
        let documents = try ask(step, .report, job, for: ShardReport.self)
        var contents: [Int32: [ShardReport.LoadedDate]] = [:]
        for shard in 0..<job.shards {
            guard let report = try documents.value(from: shard) else { throw ClusterError.missingShard(shard: shard) }
            for date in report.dates { contents[date.logDate, default: []].append(date) }
        }
        return contents
    }

    /// Says what is to be done, and reads what comes of it.
    private func ask<Value>(
        _ step: ClusterStep, _ kind: Frame.Kind, _ job: ClusterJob, for: Value.Type
    ) throws -> Documents<Value> {
        try writer.write(step.line)
        return try Documents(kind, of: job.label.job, from: reader, endsWithStream: false)
    }
}
