import Calendar
import Configuration
import Counting
import Events
import Foundation
import Pipelines
import Posix
import Warehouse

/// The task of one shard: it writes the shard's partitions of the log dates that are loaded, and brings the shard's ledger to what
/// its partitions say.
///
/// Databases are written in a folder on the machine's own disk. Then they are copied to the output under names that hold their
/// versions: whichever attempt of a task comes first, the others find or write the same.
package struct ShardTask {
    /// A run of events that other tasks have made has at most so many blocks, since it is in memory at first.
    private static let mostBlocks = 256

    private let job: ClusterJob
    private let shard: Int
    private let pipeline: Pipeline
    private let resources: TaskResources

    /// - Throws: `ClusterError`, `PipelineFileError`.
    package init(_ job: ClusterJob, shard: Int, _ resources: TaskResources) throws {
        guard (0..<job.shards).contains(shard) else { throw ClusterError.unreadableJob(path: job.folder) }
        self.job = job
        self.shard = shard
        self.resources = resources
        pipeline = try job.readPipeline()
    }

    /// - Throws: what a load and a publishing throw, and `ClusterError`.
    package func run() throws {
        try resources.withScratch { scratch in
            let folder = job.output.shard(shard, versions: job.after, scratchPath: scratch)
            try Folder.create(folder.partitionsPath)
            for date in job.dates { try load(date, in: folder, scratch) }
            let stop = resources.stop
            let publishing = PublishingResources(memory: resources.memory / 2, isStopped: { stop.isRaised })
            try ShardLedgers([folder], PublicationSettings(pipeline), resources: publishing).update(
                settled: Set(job.settled), job: Folder.name(of: job.folder), scratch: scratch, willInstall: job.check)
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
            throw ClusterError.shardMismatch(
                logDate: plan.date.description, shard: shard, accepted: date.records[shard], records: merged.records)
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
        var collector = RunCollector(
            sections: plan.sections.count, memory: resources.memory / 2, spillFolder: scratch)
        for (number, fingerprint) in date.files.sorted(by: { $0.key < $1.key }) {
            try resources.stop.check()
            let file = try MappedFile(job.path(of: number), logFile: job.files[number].path)
            let head = try file.head(job)
            guard head.fingerprint == fingerprint else {
                throw ClusterError.changedFile(path: job.files[number].path)
            }
            let limits = NameCounts(
                EventNames(
                    sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: head.deliveries))
            var run: (section: Int, blocks: [EventBlock]) = (0, [])
            func endRun() throws {
                if run.blocks.isEmpty { return }
                try collector.append(run.blocks, section: run.section, deliveries: head.deliveries)
                run.blocks = []
            }
            try file.forEachBlock(of: shard) { section, bytes in
                var events: [Event] = []
                guard plan.sections.indices.contains(section),
                    let block = try? EventBlock(bytes, decodedInto: &events), limits.hold(events.span)
                else { throw ClusterError.damagedFile(path: job.path(of: number)) }
                if section != run.section || run.blocks.count == ShardTask.mostBlocks { try endRun() }
                run.section = section
                run.blocks.append(block)
            }
            try endRun()
        }
        let (runs, deliveries) = collector.finish()
        return LogDateReading(results: [], runs: runs, deliveries: deliveries)
    }
}
