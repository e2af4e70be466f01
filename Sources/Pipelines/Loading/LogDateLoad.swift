import LogFiles
import Messages
import Partitions

/// The load of one log date: its files are read, and its partition is installed unless the load is held back.
struct LogDateLoad {
    let plan: LogDatePlan
    let locked: LockedOutput
    let resources: RunResources
    let reader: any LogFileReader
    let stopwatch = Stopwatch()

    private var judge: LogDateJudge { LogDateJudge(plan: plan, output: locked.folder, resources: resources) }
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
            return load(try reader.read(plan, resources: resources, spillFolder: locked.folder.partitionsPath))
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
        let writer = try PartitionWriter(of: plan.date, in: locked.folder)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: resources.stop)
        guard merged.records == totals.tally.accepted else {
            throw Fault.lostRecords(
                plan.date, accepted: totals.tally.accepted, events: merged.events,
                duplicates: merged.records - merged.events)
        }
        if let reason = try judge.lossReason(merged.daily.eventsBySourceAndAction) {
            return try hold(reason, results: results, totals: totals)
        }
        let version = plan.version(results)
        let report = LogDateReport(
            plan.date, events: merged.events, days: merged.daily.days,
            eventWarnings: Plausibility(of: plan, tallies: totals.tallies).ofEvents(merged.daily),
            versionOfSameFiles: judge.versionOfSameFiles(results) ?? version, totals: totals, stopwatch: stopwatch)
        try writeAccounts(of: report, results: results, totals: totals, version: version, to: writer)
        // Stored first: if this command is killed before it can tell of the load, the next one does.
        if judge.standing?.version != version { PendingLoad(report, version: version)?.write(in: locked) }
        let isUnchanged = try plan.install(writer, version: version, in: locked.folder, stop: resources.stop)
        try plan.noteLoaded(results, version: version, in: locked)
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
        try judge.heldLoad(reason, results: results, totals: totals).write(plan.date, in: locked)
        return LogDateReport(
            plan.date, notLoaded: .heldBack(reason), totals: totals, rejects: results.flatMap(\.rejects),
            stopwatch: stopwatch)
    }
}
