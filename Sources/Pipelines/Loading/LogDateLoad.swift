import Foundation
import LogFiles
import Posix
import Warehouse

/// Loads one log date: reads its files, and installs its partition unless the load is held back.
struct LogDateLoad {
    let plan: LogDatePlan
    let output: OutputFolder
    let resources: RunResources
    /// The log dates of the same command.
    let unfinished: UnfinishedDates

    private var judge: LogDateJudge { LogDateJudge(plan: plan, output: output, isForced: resources.force) }

    func run() -> LogDateReport {
        let stopwatch = Stopwatch()
        var report = LogDateReport(date: plan.date, verdict: .noFiles)
        resources.progress.begin(plan.date)
        defer { resources.progress.end(plan.date) }
        do {
            do {
                try load(&report)
            } catch let error as LogFileError where error.step != .inflate {
                try hold(judge.hold(.unreadableFile(path: error.path, code: error.code), [], &report))
            }
        } catch {
            report.verdict = .failed(error)
        }
        report.seconds = stopwatch.seconds
        return report
    }

    private func load(_ report: inout LogDateReport) throws {
        guard !plan.files.isEmpty else { return }
        let foreignFiles = try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
        guard foreignFiles.isEmpty else { return try hold(judge.hold(foreignFiles, &report)) }
        resources.progress.update { $0.stage = .reading }
        let reading = try plan.read(
            jobs: resources.jobs, memory: resources.memory, spillFolder: output.partitionsPath,
            progress: resources.progress, stop: resources.stop)
        switch try judge.judge(reading.results, formerWeeks, &report) {
        case .heldBack(let load): try hold(load)
        case .accepted(let status):
            resources.progress.update { $0.stage = .merging }
            try install(reading, status, &report)
            report.verdict = status == .complete ? .complete : .partial
        }
    }

    /// The same weekday in the weeks before, once the loads of these log dates have ended.
    private func formerWeeks() throws(Stopped) -> FormerWeeks {
        try unfinished.wait(for: FormerWeeks.dates(before: plan.date), stop: resources.stop)
        return FormerWeeks(before: plan.date, in: output)
    }

    /// Leaves the installed partition alone, and stores why this load was held back.
    private func hold(_ load: LogDateJudge.HeldBack) throws(WarehouseError) {
        try load.load.write(load.rejects, plan.date, in: output)
    }

    /// Whether the installed partition is as it was written.
    /// - Throws: `Stopped`.
    private func isStandingSound() throws -> Bool {
        let logDate = Int32(plan.date.dayNumber)
        do throws(WarehouseError) {
            try Partition(logDate: logDate, folder: output).verify { resources.stop.isRaised }
            return true
        } catch {
            // Whatever is wrong with it, the new one replaces it.
            try resources.stop.check()
            return false
        }
    }

    private func install(_ reading: LogDateReading, _ status: PartitionStatus, _ report: inout LogDateReport) throws {
        let writer = try PartitionWriter(logDate: Int32(plan.date.dayNumber), folder: output)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: resources.stop)
        report.events = merged.events
        report.days = merged.standalone.tables.daily.days
        report.warnings += Plausibility(plan, reading.results).ofEvents(
            merged.standalone.tables.daily.eventsBySourceAndDay)
        guard merged.records == report.tally.accepted else {
            throw AccountsError.partitionMismatch(
                logDate: plan.date.description, accepted: report.tally.accepted, events: merged.events,
                duplicates: merged.records - merged.events)
        }
        let version = plan.version(status, reading.results)
        try plan.writeAccounts(reading.results, status, version: version, report, to: writer)
        try resources.stop.check()
        // The installed partition may have been damaged since it was written.
        report.isUnchanged = try judge.standing?.version == version && isStandingSound()
        if report.isUnchanged {
            writer.discard()
        } else {
            try writer.install()
        }
        try plan.noteLoaded(reading.results, version: version, in: output)
    }
}
