import Calendar
import Configuration
import LogFiles
import Messages
import Partitions

/// What reads the files of log dates, and makes partitions of them. `PipelineRun` decides which log dates these are,
/// publishes their figures, and writes the history.
package protocol LogDateLoader {
    /// The files of the patterns at URIs. Others may be among them.
    /// - Throws: if the pipeline's files are not for this loader.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates. The reports are in the order of `dates`.
    func load(_ dates: [LogDate], _ found: FoundInputs, in held: HeldOutput) throws -> [LogDateReport]
}

/// Reads the files of a log date.
package protocol LogFileReader: Sendable {
    /// The files of kinds that are not read.
    /// - Throws: `LogFileError` if a file cannot be opened.
    func foreignFiles(of plan: LogDatePlan, _ resources: RunResources) throws -> [ForeignFile]

    /// - Throws: `LogFileError` if a file cannot be read.
    func read(_ plan: LogDatePlan, _ resources: RunResources, spillFolder: String) throws -> LogDateReading
}

/// Reads them in this process.
private struct LocalReader: LogFileReader {
    func foreignFiles(of plan: LogDatePlan, _ resources: RunResources) throws -> [ForeignFile] {
        try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
    }

    func read(_ plan: LogDatePlan, _ resources: RunResources, spillFolder: String) throws -> LogDateReading {
        try plan.read(
            jobs: resources.jobs, memory: resources.memory, spillFolder: spillFolder, progress: resources.progress,
            stop: resources.stop)
    }
}

/// Loads log dates in this process, several at a time.
package struct LocalLoader: LogDateLoader {
    let pipeline: Pipeline
    let resources: RunResources
    let reader: any LogFileReader

    /// - Parameter reader: nil to read the files in this process.
    package init(_ pipeline: Pipeline, _ resources: RunResources, reader: (any LogFileReader)? = nil) {
        (self.pipeline, self.resources, self.reader) = (pipeline, resources, reader ?? LocalReader())
    }

    /// Files of this machine need no listing.
    /// - Throws: `PipelineFileError` if a pattern is a URI.
    package func listing(on _: [LogDate]) throws -> FileListing {
        try pipeline.checkLocalFiles()
        return FileListing()
    }

    /// Loads log dates in parallel, within the threads and the memory of one. A log date that fails does not stop the
    /// others; the stop flag does. Dates that were not begun then have no report.
    package func load(
        _ dates: [LogDate], _ found: FoundInputs, in held: HeldOutput
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
        return Fanout.compactMap(jobs: atOnce, pieces: dates.count) { [share] index in
            guard !share.stop.isRaised else { return nil }
            let (date, stopwatch) = (dates[index], Stopwatch())
            var report = LogDateReport(date, found)
            if case .noFiles = report.verdict {
                let plan = LogDatePlan(pipeline, date: date, files: found.files(on: date))
                LogDateLoad(plan: plan, held: held, resources: share, reader: reader, stopwatch: stopwatch).run(&report)
            }
            report.end(stopwatch)
            return report
        }
    }
}

/// The load of one log date: its files are read, and its partition is installed unless the load is held back.
private struct LogDateLoad {
    let plan: LogDatePlan
    let held: HeldOutput
    let resources: RunResources
    let reader: any LogFileReader
    let stopwatch: Stopwatch

    private var judge: LogDateJudge { LogDateJudge(plan: plan, output: held.folder, resources: resources) }

    func run(_ report: inout LogDateReport) {
        resources.progress.begin(plan.date)
        defer { resources.progress.end(plan.date) }
        do {
            do {
                if !plan.files.isEmpty { try load(&report) }
            } catch let error as LogFileError where error.step != .inflate {
                judge.hold(HoldReason(error), [], &report)
            }
            try report.hold?.write(plan.date, in: held)
            report.hold = nil
        } catch {
            report.verdict = .failed(error)
        }
    }

    private func load(_ report: inout LogDateReport) throws {
        let (output, progress, stop) = (held.folder, resources.progress, resources.stop)
        let foreignFiles = try reader.foreignFiles(of: plan, resources)
        guard foreignFiles.isEmpty else { return judge.hold(.foreignFiles(foreignFiles), [], &report) }
        progress.update { $0.stage = .reading }
        let reading = try reader.read(plan, resources, spillFolder: output.partitionsPath)
        let results = reading.results
        judge.judge(results, &report)
        guard report.isLoaded else { return }
        progress.update { $0.stage = .merging }
        let writer = try PartitionWriter(of: plan.date, in: output)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: stop)
        try judge.count(
            events: merged.events, records: merged.records, merged.eventsBySourceAndDay, of: results, in: &report)
        if let reason = try judge.lossReason(merged.eventsBySourceAndAction) {
            return judge.hold(reason, results, &report)
        }
        let version = plan.version(results)
        try plan.writeAccounts(results, version: version, report, to: writer)
        report.end(stopwatch)
        if let record = report.record, judge.standing?.version != version {
            PendingLoad(record, report.warnings.map { $0.about(plan.date, isNamed: false) }, version: version).write(
                in: held)
        }
        report.versionOfSameFiles = judge.versionOfSameFiles(results)
        report.isUnchanged = try plan.install(writer, version: version, in: output, stop: stop)
        try plan.noteLoaded(results, version: version, in: held)
    }
}

extension LogDateReport {
    /// That of a log date of which no file is read.
    init(_ date: LogDate, _ found: FoundInputs) {
        self.init(
            date: date, verdict: found.failure(on: date).map { .failed($0) } ?? .noFiles, found.files(on: date))
    }
}
