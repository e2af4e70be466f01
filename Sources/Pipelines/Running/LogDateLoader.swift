import Calendar
import Configuration
import LogFiles
import Messages
import Partitions

/// What reads the files of log dates, and makes partitions of them. `PipelineRun` decides which log dates these are,
/// publishes their figures, and writes the history.
package protocol LogDateLoader {
    /// - Throws: if the pipeline's files or the output are not for this loader. Called before the output is locked, and again
    ///   when it is.
    func check() throws

    /// The files of the patterns at URIs. Others may be among them.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates. The reports are in the order of `dates`.
    /// - Parameter states: of the log dates that were compared with their files.
    func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState], in held: HeldOutput
    ) throws -> [LogDateReport]

    /// Called before the figures are published.
    func prepareToPublish() throws

    /// Called at last.
    func end(in held: HeldOutput)
}

/// Loads log dates in this process, several at a time.
package struct LocalLoader: LogDateLoader {
    let pipeline: Pipeline
    let output: OutputFolder
    let resources: RunResources

    /// - Throws: `PipelineFileError` if a pattern is a URI, `ShardedOutputError` if the output has shards.
    package func check() throws {
        try pipeline.checkLocalFiles()
        if let shards = output.shardCount() { throw ShardedOutputError(path: output.path, shards: shards) }
    }

    package func listing(on _: [LogDate]) -> FileListing { FileListing() }

    /// Loads log dates in parallel, within the threads and the memory of one. A log date that fails does not stop the
    /// others; the stop flag does. Dates that were not begun then have no report.
    package func load(
        _ dates: [LogDate], _ found: FoundInputs, _: [LogDate: LogDateState], in held: HeldOutput
    ) -> [LogDateReport] {
        let atOnce = max(1, min(resources.jobs, dates.count))
        var share = resources
        share.jobs = max(1, resources.jobs / atOnce)
        share.memory = resources.memory / atOnce
        let bytes = dates.flatMap { found.files(on: $0) }.reduce(0) { $0 + $1.found.bytes }
        resources.progress.update { state in
            state.bytes += bytes
            state.dates += dates.count
            state.stage = .reading
        }
        let reports = Slots<LogDateReport>(dates.count)
        let unfinished = UnfinishedDates(dates)
        Fanout.run(jobs: atOnce, pieces: dates.count) { [share] index in
            defer { unfinished.finish(dates[index]) }
            guard !share.stop.isRaised else { return }
            let (date, stopwatch) = (dates[index], Stopwatch())
            var report = LogDateReport(date, found)
            if case .noFiles = report.verdict {
                let plan = LogDatePlan(pipeline, date: date, files: found.files(on: date))
                report = LogDateLoad(plan: plan, held: held, resources: share, unfinished: unfinished).run()
            }
            report.end(stopwatch)
            reports.put(report, at: index)
        }
        return reports.take().compactMap { $0 }
    }

    package func prepareToPublish() {}

    package func end(in held: HeldOutput) {}
}

extension LogDateReport {
    /// That of a log date of which no file is read.
    package init(_ date: LogDate, _ found: FoundInputs) {
        self.init(date: date, verdict: found.failure(on: date).map { .failed($0) } ?? .noFiles)
    }
}

/// The output has shards, so a command on one machine cannot write there.
package struct ShardedOutputError: Error, Equatable, Sendable {
    package let path: String
    package let shards: Int
}

extension ShardedOutputError: MessageError {
    package var exitStatus: ExitStatus { .badPipeline }

    package var message: Message {
        Message(
            "sharded_output",
            "\(path: path): has \(shards) \(shards == 1 ? "shard" : "shards") and is written by pushetl_spark.py only; use "
                + "that, or give another output")
    }
}
