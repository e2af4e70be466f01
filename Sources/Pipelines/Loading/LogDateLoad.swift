import Calendar
import Foundation
import LogFiles
import Partitions
import Posix

/// Loads one log date: reads its files, and installs its partition unless the load is held back.
struct LogDateLoad {
    let plan: LogDatePlan
    let held: HeldOutput
    let resources: RunResources
    /// The log dates of the same command.
    let unfinished: UnfinishedDates

    private var output: OutputFolder { held.folder }
    private var judge: LogDateJudge { LogDateJudge(plan: plan, output: output, resources: resources) }

    func run() -> LogDateReport {
        var report = LogDateReport(date: plan.date, verdict: .noFiles)
        resources.progress.begin(plan.date)
        defer { resources.progress.end(plan.date) }
        do {
            do {
                try load(&report)
            } catch let error as LogFileError where error.step != .inflate {
                try judge.hold(HoldReason(error), [], &report).write(plan.date, in: held)
            }
        } catch {
            report.verdict = .failed(error)
        }
        return report
    }

    private func load(_ report: inout LogDateReport) throws {
        guard !plan.files.isEmpty else { return }
        let foreignFiles = try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
        guard foreignFiles.isEmpty else {
            return try judge.hold(.foreignFiles(foreignFiles), [], &report).write(plan.date, in: held)
        }
        resources.progress.update { $0.stage = .reading }
        let reading = try plan.read(
            jobs: resources.jobs, memory: resources.memory, spillFolder: output.partitionsPath,
            progress: resources.progress, stop: resources.stop)
        switch try judge.judge(reading.results, formerWeeks, &report) {
        case .heldBack(let load): try load.write(plan.date, in: held)
        case .accepted(let status):
            resources.progress.update { $0.stage = .merging }
            try install(reading, status, &report)
        }
    }

    /// The same weekday in the weeks before, once the loads of these log dates have ended.
    private func formerWeeks() throws(Stopped) -> FormerWeeks {
        try unfinished.wait(for: FormerWeeks.dates(before: plan.date), stop: resources.stop)
        return FormerWeeks(before: plan.date, in: output)
    }

    /// Installs the partition, unless the load would lose too many events.
    private func install(_ reading: LogDateReading, _ status: PartitionStatus, _ report: inout LogDateReport) throws {
        let writer = try PartitionWriter(logDate: Int32(plan.date.dayNumber), folder: output)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: resources.stop)
        try judge.count(
            events: merged.events, records: merged.records, merged.eventsBySourceAndDay, of: reading.results,
            in: &report)
        if let reason = try judge.lossReason(merged.eventsBySourceAndAction, reading.results) {
            return try judge.hold(reason, reading.results, &report).write(plan.date, in: held)
        }
        report.verdict = status == .complete ? .complete : .partial
        let version = plan.version(status, reading.results)
        try plan.writeAccounts(reading.results, status, version: version, report, to: writer)
        report.isUnchanged = try plan.install(writer, version: version, in: output, stop: resources.stop)
        try plan.noteLoaded(reading.results, version: version, in: held)
    }
}

/// The log dates that a command is loading. A load may wait until others have ended.
///
/// No two loads wait for each other: a log date waits for earlier ones only, and the earlier ones are begun first. Each must
/// be finished, however it ends, also if the command is stopped.
///
/// `@unchecked Sendable`: `dates` is only touched under the condition's lock.
final class UnfinishedDates: @unchecked Sendable {
    private let condition = NSCondition()
    private var dates: Set<LogDate>

    init(_ dates: [LogDate]) {
        self.dates = Set(dates)
    }

    func finish(_ date: LogDate) {
        condition.withLock {
            dates.remove(date)
            condition.broadcast()
        }
    }

    /// Waits until none of these log dates is being loaded.
    ///
    /// - Throws: `Stopped` if the stop flag is raised meanwhile.
    func wait(for others: [LogDate], stop: StopFlag) throws(Stopped) {
        condition.withLock {
            while !dates.isDisjoint(with: others) { condition.wait() }
        }
        try stop.check()
    }
}
