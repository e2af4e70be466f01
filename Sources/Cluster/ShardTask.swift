import Calendar
import Configuration
import Counting
import Events
import Foundation
import Ledger
import Messages
import Partitions
import Pipelines
import Posix

/// The task of one shard: it writes the shard's partitions of the log dates that are loaded, and brings the shard's ledger to what
/// its partitions say.
///
/// Databases are written in a folder on the machine's own disk. Then they are copied to the output under names that hold their
/// versions: whichever attempt of a task comes first, the others find or write the same.
package struct ShardTask {
    /// Events of other tasks are collected in runs of about so many, as those of a plain load are.
    private static let eventsOfARun = 1 << 15

    private let job: ClusterJob
    private let shard: Int
    private let pipeline: Pipeline
    private let resources: TaskResources

    /// - Throws: `Fault`, `PipelineFileError`.
    package init(_ job: ClusterJob, shard: Int, _ resources: TaskResources) throws {
        guard (0..<job.shards).contains(shard) else { throw ClusterError.unreadableJob(job.folder) }
        self.job = job
        self.shard = shard
        self.resources = resources
        pipeline = try job.readPipeline()
    }

    /// - Throws: what a load and a publishing throw, and `Fault`.
    package func run() throws {
        try resources.withScratch { scratch in
            let folder = job.output.shard(shard, versions: job.after, scratchPath: scratch)
            try Folder.create(folder.partitionsPath)
            for date in job.dates { try load(date, in: folder, scratch) }
            let stop = resources.stop
            let publishing = PublishingResources(memory: resources.memory / 2, isStopped: { stop.isRaised })
            do {
                try ShardLedgers([folder], PublicationSettings(pipeline), resources: publishing).update(
                    settled: Set(job.settled), job: Folder.name(of: job.folder), scratch: scratch,
                    willInstall: job.check)
            } catch let error as WarehouseError {
                job.note(error, shard: shard)
                throw error
            }
        }
    }

    /// Writes the shard's partition of a log date, unless it is there already.
    private func load(_ date: ClusterJob.LoadedDate, in folder: OutputFolder, _ scratch: String) throws {
        let plan = LogDatePlan(pipeline, date: LogDate(dayNumber: Int(date.logDate)), files: [])
        let reading = try read(date, plan, scratch)
        try job.check()
        let writer = try PartitionWriter(logDate: date.logDate, folder: folder, version: date.version)
        let merged = try plan.merge(reading, into: writer, jobs: 1, stop: resources.stop)
        guard merged.records == date.records[shard] else {
            throw Fault(
                "shard_mismatch",
                "\(plan.date): shard \(shard) got \(merged.records) of \(date.records[shard]) accepted records: "
                    + "a fault of pushetl, please report it; \(ClusterError.again)", .internalFault)
        }
        writer.conclude(
            PartitionSummary(
                logDate: date.logDate, status: date.status, files: 0, records: merged.records,
                accepted: merged.records, filtered: 0, rejected: 0, events: merged.events,
                duplicates: merged.records - merged.events, clockFallback: 0, pipeline: pipeline.fingerprint,
                zone: pipeline.zone.version, windowDays: pipeline.windowDays, version: date.version))
        _ = try plan.install(writer, version: date.version, in: folder, stop: resources.stop)
    }

    /// The shard's events of a log date, as the map tasks have written them.
    private func read(
        _ date: ClusterJob.LoadedDate, _ plan: LogDatePlan, _ scratch: String
    ) throws -> LogDateReading {
        var collector = EventCollector(
            worker: 0, sections: plan.sections.count, memory: resources.memory / 2, spillFolder: scratch)
        for (number, fingerprint) in date.files.sorted(by: { $0.key < $1.key }) {
            try resources.stop.check()
            let file = try MappedFile(job.path(of: number), logFile: job.files[number].path)
            let head = try file.head(job)
            guard head.fingerprint == fingerprint else {
                throw Fault(
                    "changed_file",
                    "\(path: job.files[number].path): the file changed while the job was running; "
                        + "\(ClusterError.again) when nothing writes to it")
            }
            let names = EventNames(
                sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: head.deliveries)
            let deliveries = head.deliveries.map { collector.delivery(Array($0.utf8).span) }
            var run: (section: Int, events: [Event]) = (0, [])
            func endRun() throws {
                if run.events.isEmpty { return }
                for index in run.events.indices {
                    run.events[index].delivery = deliveries[Int(run.events[index].delivery)]
                }
                try collector.append(run: run.events.span, section: run.section)
                run.events = []
            }
            try file.forEachBlock(of: shard) { section, bytes in
                if section != run.section || run.events.count >= ShardTask.eventsOfARun { try endRun() }
                run.section = section
                let start = run.events.count
                guard plan.sections.indices.contains(section),
                    (try? EventBlock.decode(bytes, appendingTo: &run.events)) != nil,
                    names.hold(run.events.span.extracting(start..<run.events.count))
                else { throw ClusterError.damagedFile(job.path(of: number)) }
            }
            try endRun()
        }
        let runs = try collector.finish()
        return LogDateReading(results: [], runs: runs, deliveries: [collector.deliveries])
    }
}
