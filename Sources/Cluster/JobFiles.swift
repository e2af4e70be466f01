import Calendar
import Events
import Foundation
import LogFiles
import Partitions
import Pipelines
import Posix

/// Reads the results of tasks instead of the log files.
struct JobFiles: LogFileReader {
    /// The approximate number of events in a run, as in a plain load.
    private static let eventsOfARun = 1 << 15

    private let job: ClusterJob

    init(_ job: ClusterJob) {
        self.job = job
    }

    /// Checks the results without reading the events.
    /// - Throws: if a result is missing, or does not belong to this job.
    func check() throws {
        for file in job.files where file.isRead { _ = try JobFile(of: file, in: job).head(of: file, in: job) }
    }

    /// The files of a log date, each with its input. Tasks have read all files for which `isRead` is true.
    private func files(_ plan: LogDatePlan) throws -> [(file: ClusterJob.File, input: InputFile)] {
        let files = job.files.filter { $0.logDate == plan.date.description }
        guard files.count == plan.files.count else { throw ClusterError.unreadableJob(job.folder) }
        return Array(zip(files, plan.files))
    }

    func foreignFiles(of plan: LogDatePlan, resources: RunResources) throws -> [ForeignFile] {
        try files(plan).compactMap { file, _ in
            try resources.stop.check()
            switch file.isRead ? try JobFile(of: file, in: job).accounts() : .unopened(code: EFBIG) {
            case .unopened(let code): throw LogFileError(step: .open, path: file.path, code: code)
            case .foreign(let file): return file
            case .unreadable, .whole: return nil
            }
        }
    }

    func read(_ plan: LogDatePlan, resources: RunResources, spillFolder: String) throws -> LogDateReading {
        var results: [FileResult] = []
        var collector = EventCollector(
            worker: 0, sections: plan.sections.count, memory: resources.memory, spillFolder: spillFolder)
        for ((file, input), stamp) in zip(try files(plan), plan.stamps) {
            let made = try JobFile(of: file, in: job)
            switch try made.accounts() {
            case .unopened(let code), .unreadable(let code):
                throw LogFileError(step: .read, path: file.path, code: code)
            case .foreign(let foreign): throw LogFileError(step: .unpack(foreign.kind), path: file.path, code: 0)
            case .whole(var report, let tally, let rejects, let names):
                guard tally.isWellFormed else { throw ClusterError.damagedFile(job.path(of: file)) }
                // The driver's stamp is used: a task's stamp would depend on when the task looked. A later write to the
                // file changes the stamp, so the stamp never stands for other bytes than those that were read.
                report.stamp = stamp?.bytes == report.bytes ? stamp : nil
                results.append(
                    FileResult(file: input, report: report, tally: tally, rejects: rejects, names: names))
                try add(made, of: file, plan: plan, to: &collector, stop: resources.stop)
            }
        }
        return LogDateReading(results: results, runs: try collector.finish(), deliveries: [collector.deliveries])
    }

    /// Adds the events of a file.
    private func add(
        _ made: JobFile, of file: ClusterJob.File, plan: LogDatePlan, to collector: inout EventCollector,
        stop: StopFlag
    ) throws {
        let head = try made.head(of: file, in: job)
        let names = EventNames(
            sources: plan.pipeline.sources.map(\.name), actions: plan.pipeline.actionNames, deliveries: head.deliveries)
        let deliveries = head.deliveries.map { collector.delivery(Array($0.utf8).span) }
        var run: (section: Int, events: [Event]) = (0, [])
        func endRun() throws {
            if run.events.isEmpty { return }
            try stop.check()
            for index in run.events.indices { run.events[index].delivery = deliveries[Int(run.events[index].delivery)] }
            try collector.append(run: run.events.span, section: run.section)
            run.events.removeAll(keepingCapacity: true)
        }
        try made.forEachBlock(of: head) { section, bytes in
            if section != run.section || run.events.count >= JobFiles.eventsOfARun { try endRun() }
            run.section = section
            let start = run.events.count
            try EventBlock.decode(bytes, appendingTo: &run.events)
            guard plan.sections.indices.contains(section),
                names.hold(run.events.span.extracting(start..<run.events.count))
            else { throw ClusterError.damagedFile(job.path(of: file)) }
        }
        try endRun()
    }
}
