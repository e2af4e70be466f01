import Calendar
import Configuration
import Counting
import Foundation
import LogFiles
import Posix
import Warehouse

/// The driver's side of a job on a cluster: it plans the files to read, judges what the tasks have read, asks the shards for
/// their figures, and makes log dates count. It prints what is to be done, and reads frames with the results.
///
/// What it decides, it decides by the code of a plain load. Nothing of it is in the output before all tasks have succeeded.
package final class ClusterDriver {
    private let askedShards: Int?
    private let lines: FileDescriptor
    private let reader: FrameReader
    private let stop: StopFlag
    /// The job at work; nil before it begins.
    private var job: ClusterJob?
    /// The figures of the present job; nil if they were not asked for yet.
    private var figures: AddedFigures?

    /// - Parameters:
    ///   - shards: the number of shards; nil for those that the output has.
    ///   - input: gives frames, as an open descriptor.
    ///   - output: gets a line a step, as an open descriptor.
    package init(shards: Int?, input: Int32, output: Int32, stop: StopFlag) {
        askedShards = shards
        lines = FileDescriptor(output, path: "stdout")
        reader = FrameReader(input, stop: stop)
        self.stop = stop
    }

    /// - Throws: if the output has other shards than were asked for, or plain partitions.
    @discardableResult
    func checkShards(of output: OutputFolder) throws -> Int {
        if let shards = output.shardCount() {
            guard askedShards ?? shards == shards else {
                throw ClusterError.otherShards(output: output.path, shards: shards, asked: askedShards ?? 0)
            }
            return shards
        }
        guard try !output.hasPlainPartitions() else { throw ClusterError.plainOutput(path: output.path) }
        guard let askedShards else { throw ClusterError.unknownShards(output: output.path) }
        return askedShards
    }

    /// Asks for the files at URIs. Others may be among them.
    func listing(of pipeline: Pipeline, on dates: [LogDate]) throws -> FileListing {
        let patterns = pipeline.sources.flatMap(\.files.atURIs)
        var listing = FileListing()
        guard !patterns.isEmpty else { return listing }
        var step = ClusterStep("plan", next: .find)
        step.globs = patterns.map { $0.hadoopGlob(on: dates.count == 1 ? dates[0] : nil) }
        try say(step)
        let document = Data(try reader.document())
        guard let found = try? JSONDecoder().decode([[FileListing.File]].self, from: document),
            found.count == patterns.count
        else { throw ClusterError.unreadableListing }
        for (pattern, files) in zip(patterns, found) { listing.add(files, of: pattern) }
        return listing
    }

    /// Begins a job, and removes what others have left. The output must be locked until `end`.
    func begin(_ pipeline: Pipeline, _ database: OutputDatabase) throws {
        let shards = try checkShards(of: database.folder)
        try database.removeUnnamedVersions()
        let (text, folder) = try PipelineFile.content(of: pipeline.file)
        let job = ClusterJob(
            pipeline, text: ClusterJob.PipelineText(file: pipeline.file, folder: folder, text: text),
            output: database.folder, shards: shards, before: try database.readableVersions())
        try job.begin()
        self.job = job
    }

    /// Ends the job.
    func end(_ database: OutputDatabase) {
        job?.end()
        try? database.removeUnnamedVersions()
    }

    /// Says on an open descriptor that there is nothing left to do but to print the result.
    package static func sayDone(to output: Int32) throws {
        let line = try ClusterStep("finish", next: .done).line
        try FileDescriptor(output, path: "stdout").write(line.span)
    }

    /// Loads log dates by tasks. The reports are in the order of `dates`.
    ///
    /// - Throws: if the job cannot be done. Then no log date is loaded.
    func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState], _ pipeline: Pipeline,
        _ database: OutputDatabase, isForced: Bool
    ) throws -> [LogDateReport] {
        let stopwatch = Stopwatch()
        guard var job else { throw ClusterError.givenUp }
        let readable = dates.filter { found.failure(on: $0) == nil }
        job.files = readable.flatMap { date in found.files(on: date).map { ClusterJob.File($0, logDate: date) } }
        // Taken here, since a task's would depend on when it looks. A later write changes a settled stamp, so it never vouches
        // for other bytes than those that were read.
        let now = FileStamp.now()
        let stamps = readable.flatMap { date in
            found.files(on: date).map { file in file.found.stamp.flatMap { $0.isSettled(at: now) ? $0 : nil } }
        }
        let accounts = try read(job, dates.map { ($0, states[$0]) }, found, pipeline)
        var loads = dates.map { date in
            ClusterLoad(
                LogDatePlan(pipeline, date: date, files: found.files(on: date)), output: database.folder,
                isForced: isForced)
        }
        var judged: [LogDate: FormerWeeks.Judged] = [:]
        for index in loads.indices {
            let date = dates[index]
            if let failure = found.failure(on: date) {
                loads[index].report.verdict = .failed(failure)
            } else {
                let files = job.files.indices.filter { job.files[$0].logDate == date.dayNumber }
                judged[date] = try loads[index].judge(
                    files.map { ($0, stamps[$0], accounts[$0]) }, shards: job.shards, judged: judged)
            }
            loads[index].report.stateBefore = states[date]
            loads[index].report.started = stopwatch.started
        }
        job.dates = loads.compactMap(\.loadedDate)
        self.job = job
        if !job.dates.isEmpty {
            let contents = try count(
                job, verdicts: loads.filter { !$0.report.hasNoFiles }.map { ($0.report.date, $0.verdict) }, pipeline,
                database)
            for index in loads.indices { try loads[index].add(contents) }
        }
        for index in loads.indices { try loads[index].install(shards: job.shards, stop: stop) }
        return loads.map { load in
            var report = load.report
            (report.finished, report.seconds) = (stopwatch.finished, stopwatch.seconds)
            return report
        }
    }

    /// The figures of the job's partitions. If no log date was loaded, the shards are asked for them now.
    func figures(_ pipeline: Pipeline, _ database: OutputDatabase) throws -> AddedFigures? {
        if let job, figures == nil { _ = try count(job, verdicts: [], pipeline, database) }
        return figures
    }

    /// Asks for the accounts of all files, by their numbers.
    private func read(
        _ job: ClusterJob, _ dates: [(date: LogDate, state: LogDateState?)], _ found: FoundInputs, _ pipeline: Pipeline
    ) throws -> [Int: FileAccounts] {
        var accounts: [Int: FileAccounts] = [:]
        for (number, file) in job.files.enumerated() where !file.isLocal && file.bytes > FileListing.mostBytes {
            accounts[number] = FileAccounts(file: number, reading: .unopened(code: EFBIG))
        }
        guard accounts.count < job.files.count else { return accounts }
        var step = ClusterStep("plan", next: .map, job)
        step.dates = dates.map { ClusterStep.Date($0.date, $0.state, files: found.files(on: $0.date)) }
        step.files = job.files.enumerated().filter { accounts[$0.offset] == nil }.map { index, file in
            ClusterStep.File(
                index: index, logDate: LogDate(dayNumber: Int(file.logDate)).description,
                source: pipeline.sources[file.source].name, path: file.path, location: file.location, bytes: file.bytes)
        }
        for document in try ask(step, .accounts, job).values {
            let file = try FileAccounts(bytes: document)
            accounts[file.file] = file
        }
        if let missing = job.files.indices.first(where: { accounts[$0] == nil }) {
            throw AccountsError.missingFile(path: job.files[missing].path)
        }
        return accounts
    }

    /// Asks the shards to load what was judged, and to count. Sets the figures. Returns what the shards report of each loaded
    /// log date, by shard.
    private func count(
        _ job: ClusterJob, verdicts: [(date: LogDate, verdict: String)], _ pipeline: Pipeline,
        _ database: OutputDatabase
    ) throws -> [Int32: [ShardReport.LoadedDate]] {
        var step = ClusterStep(verdicts.isEmpty ? "plan" : "judge", next: .reduce, job)
        step.verdicts = verdicts.map { ClusterStep.Verdict(logDate: $0.date.description, verdict: $0.verdict) }
        let documents = try ask(step, .report, job)
        var digests: [Int32: DayDigest] = [:]
        var contents: [Int32: [ShardReport.LoadedDate]] = [:]
        for shard in 0..<job.shards {
            guard let document = documents[Documents.Origin(key: 0, sender: shard)] else {
                throw AccountsError.missingShard(shard: shard)
            }
            let report = try ShardReport(bytes: document)
            for day in report.days { digests[day.day, default: DayDigest()] += day.digest }
            for date in report.dates { contents[date.logDate, default: []].append(date) }
        }
        var asking = job
        asking.days = try database.daysToPublish(digests) { [stop] in stop.isRaised }.sorted()
        figures = AddedFigures(
            digests: digests, days: try sums(asking), sourceNames: pipeline.sources.map(\.name), in: database.folder)
        return contents
    }

    /// Asks for the sums of the days.
    private func sums(_ job: ClusterJob) throws -> [DayFigures] {
        guard !job.days.isEmpty else { return [] }
        var step = ClusterStep("days", next: .figures, job)
        step.days = job.days.map(Frame.key)
        let documents = try ask(step, .sum, job)
        return try job.days.map { day in
            guard let document = documents[Documents.Origin(key: Frame.key(ofDay: day), sender: 0)] else {
                throw AccountsError.missingDay(day: CalendarText.date(ofDay: day))
            }
            return try AddTask.figures(document)
        }
    }

    /// Says what is to be done, and reads what comes of it.
    private func ask(_ step: ClusterStep, _ kind: Frame.Kind, _ job: ClusterJob) throws -> [Documents.Origin: [UInt8]] {
        try say(step)
        var documents = Documents(kind, job.context)
        while let frame = try reader.next(endsWithStream: false) { try documents.add(frame) }
        return documents.complete
    }

    private func say(_ step: ClusterStep) throws {
        let line = try step.line
        do {
            try lines.write(line.span)
        } catch {
            throw ClusterError.system(path: lines.path, call: error.call, code: error.code)
        }
    }
}
