import Calendar
import Configuration
import LogFiles
import Messages
import Partitions

/// Reads the files of log dates, and makes partitions of them. `PipelineRun` chooses the log dates, publishes their
/// figures, and writes the history.
package protocol LogDateLoader {
    /// The files that match patterns at URIs. The listing may contain other files too.
    /// - Throws: if this loader cannot read the pipeline's files.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates. The reports are in the order of `dates`.
    func load(_ dates: [LogDate], from found: FoundInputs, in held: HeldOutput) throws -> [LogDateReport]
}

/// Reads log files in this process.
private struct LocalReader: LogFileReader {
    func foreignFiles(of plan: LogDatePlan, resources: RunResources) throws -> [ForeignFile] {
        try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
    }

    func read(_ plan: LogDatePlan, resources: RunResources, spillFolder: String) throws -> LogDateReading {
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
    package init(_ pipeline: Pipeline, resources: RunResources, reader: (any LogFileReader)? = nil) {
        self.pipeline = pipeline
        self.resources = resources
        self.reader = reader ?? LocalReader()
    }

    /// Files of this machine need no listing, so it is empty.
    /// - Throws: `PipelineFileError` if a pattern is a URI.
    package func listing(on _: [LogDate]) throws -> FileListing {
        try pipeline.checkLocalFiles()
        return FileListing()
    }

    /// Loads log dates in parallel. Together they use the threads and the memory that one command may use. A log date
    /// that fails does not stop the others; a raised stop flag does. A log date that was not begun has no report.
    package func load(
        _ dates: [LogDate], from found: FoundInputs, in held: HeldOutput
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
            let date = dates[index]
            share.progress.begin(date)
            defer { share.progress.end(date) }
            let files = found.files(on: date)
            guard found.failure(on: date) == nil, !files.isEmpty else {
                return LogDateReport(unread: date, found: found)
            }
            let plan = LogDatePlan(pipeline, date: date, files: files)
            return LogDateLoad(plan: plan, held: held, resources: share, reader: reader).report()
        }
    }
}

/// The load of one log date: its files are read, and its partition is installed unless the load is held back.
private struct LogDateLoad {
    let plan: LogDatePlan
    let held: HeldOutput
    let resources: RunResources
    let reader: any LogFileReader
    let stopwatch = Stopwatch()

    private var judge: LogDateJudge { LogDateJudge(plan: plan, output: held.folder, resources: resources) }
    private var unread: FileTotals { FileTotals(unread: plan.files) }

    /// Loads the log date, and reports how it ended.
    func report() -> LogDateReport {
        do {
            return try load()
        } catch {
            return LogDateReport(plan.date, notLoaded: .failed(error), totals: unread, stopwatch: stopwatch)
        }
    }

    private func load() throws -> LogDateReport {
        do {
            let foreignFiles = try reader.foreignFiles(of: plan, resources: resources)
            guard foreignFiles.isEmpty else {
                return try hold(.foreignFiles(foreignFiles), results: [], totals: unread)
            }
            resources.progress.update { $0.stage = .reading }
            return load(try reader.read(plan, resources: resources, spillFolder: held.folder.partitionsPath))
        } catch let error as LogFileError where error.step != .inflate {
            return try hold(HoldReason(error), results: [], totals: unread)
        }
    }

    private func load(_ reading: LogDateReading) -> LogDateReport {
        let totals = FileTotals(reading.results, of: plan)
        do {
            return try load(reading, totals: totals)
        } catch {
            return LogDateReport(plan.date, notLoaded: .failed(error), totals: totals, stopwatch: stopwatch)
        }
    }

    private func load(_ reading: LogDateReading, totals: FileTotals) throws -> LogDateReport {
        let results = reading.results
        if let reason = judge.holdReason(of: results, totals: totals) {
            return try hold(reason, results: results, totals: totals)
        }
        resources.progress.update { $0.stage = .merging }
        let writer = try PartitionWriter(of: plan.date, in: held.folder)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: resources.stop)
        guard merged.records == totals.tally.accepted else {
            throw Fault.lostRecords(
                plan.date, accepted: totals.tally.accepted, events: merged.events,
                duplicates: merged.records - merged.events)
        }
        if let reason = try judge.lossReason(merged.daily.eventsBySourceAndAction) {
            return try hold(reason, results: results, totals: totals)
        }
        let report = LogDateReport(
            plan.date, events: merged.events, days: merged.daily.days,
            eventWarnings: Plausibility(of: plan, tallies: totals.tallies).ofEvents(merged.daily),
            versionOfSameFiles: judge.versionOfSameFiles(results), totals: totals, stopwatch: stopwatch)
        let version = plan.version(results)
        try writeAccounts(of: report, results: results, totals: totals, version: version, to: writer)
        // Stored first: if this command is killed before it can tell of the load, the next one does.
        if judge.standing?.version != version { PendingLoad(report, version: version)?.write(in: held) }
        let isUnchanged = try plan.install(writer, version: version, in: held.folder, stop: resources.stop)
        try plan.noteLoaded(results, version: version, in: held)
        return report.installed(isUnchanged: isUnchanged, stopwatch: stopwatch)
    }

    /// Writes the files, outcomes and rejects of a load, and the summary.
    private func writeAccounts(
        of report: LogDateReport, results: [FileResult], totals: FileTotals, version: String,
        to writer: PartitionWriter
    ) throws {
        for result in results { try writer.write(plan.loadedFile(result)) }
        for outcome in totals.outcomes { try writer.write(outcome) }
        for name in results.flatMap(\.names).firstOfEachSource { try writer.write(name) }
        for result in results {
            for reject in result.rejects { try writer.write(reject) }
        }
        var summary = PartitionSummary(
            logDate: plan.date, status: results.allSatisfy { $0.report.status == .ok } ? .complete : .partial,
            files: results.count,
            records: report.tally.records, accepted: report.tally.accepted, filtered: report.tally.filtered,
            rejected: report.tally.rejected, events: report.events, duplicates: report.duplicates,
            clockFallback: report.tally.clockFallback, pipeline: plan.pipeline.fingerprint,
            zone: plan.pipeline.zoneText(on: plan.date, isUsed: report.tally.usesZone),
            windowDays: plan.pipeline.windowDays,
            version: version)
        summary.sources = plan.loadedSources
        writer.conclude(summary)
    }

    /// Stores the held-back load, with its counts and rejects.
    private func hold(_ reason: HoldReason, results: [FileResult], totals: FileTotals) throws -> LogDateReport {
        try judge.heldLoad(reason, results: results, totals: totals).write(plan.date, in: held)
        return LogDateReport(
            plan.date, notLoaded: .heldBack(reason), totals: totals, rejects: results.flatMap(\.rejects),
            stopwatch: stopwatch)
    }
}

/// Reads the files of a log date.
package protocol LogFileReader: Sendable {
    /// The files of kinds that are not read.
    /// - Throws: `LogFileError` if a file cannot be opened.
    func foreignFiles(of plan: LogDatePlan, resources: RunResources) throws -> [ForeignFile]

    /// - Throws: `LogFileError` if a file cannot be read.
    func read(_ plan: LogDatePlan, resources: RunResources, spillFolder: String) throws -> LogDateReading
}
