import Configuration
import Foundation
import Pipelines
import Posix
import Warehouse

/// The tasks of one shard: to write its partitions and count its figures, and to give the figures of some days.
///
/// Databases and caches are written in a folder on the machine's own disk. Then they are copied to the output under names that
/// hold their versions. Nothing there is changed: whichever attempt of a task comes first, the others find or write the same.
package struct ShardTask {
    private let job: ClusterJob
    private let shard: Int
    private let pipeline: Pipeline
    private let output: OutputFolder
    private let resources: TaskResources
    /// A folder of this task alone.
    private let scratch: String

    /// - Throws: `ClusterError`, `PipelineFileError`.
    package init(_ job: ClusterJob, shard: Int, _ resources: TaskResources) throws {
        guard (0..<job.shards).contains(shard) else { throw ClusterError.foreignFrame }
        self.job = job
        self.shard = shard
        self.resources = resources
        pipeline = try job.readPipeline()
        output = try job.checkedOutput()
        scratch = "\(resources.scratch)/pushetl-\(job.token)-\(shard)-\(getpid())"
    }

    /// Merges frames of events into the shard's partitions of the log dates that are loaded, counts, and reports.
    ///
    /// - Throws: what a load and a publishing throw, and `ClusterError`.
    package func reduce(from input: Int32, to descriptor: Int32) throws {
        try withScratch { folder in
            var events = ShardEvents(job, shard, pipeline, memory: resources.memory / 2, spillFolder: scratch)
            let reader = FrameReader(input, stop: resources.stop)
            while let frame = try reader.next(.events, of: job.label.job, endsWithStream: true) {
                try events.add(frame)
            }
            _ = try job.checkedOutput()
            try Folder.create(folder.partitionsPath)
            copyCache(of: job.before, to: folder.cachePath)
            let dates = try events.finish().map { try load($0, $1, $2, in: folder) }
            try storeCache(folder.cachePath)
            try write(ShardReport(dates: dates, days: [:]), .report, to: descriptor)
        }
    }

    private func write(_ value: some Encodable, _ kind: Frame.Kind, key: UInt32 = 0, to descriptor: Int32) throws {
        var label = job.label
        label.sender = shard
        try FrameWriter(descriptor).write(value, kind, key: key, label)
    }

    /// Writes the shard's partition of a log date, unless it is there already.
    private func load(
        _ date: ClusterJob.LoadedDate, _ plan: LogDatePlan, _ reading: LogDateReading, in folder: OutputFolder
    ) throws -> ShardReport.LoadedDate {
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
        return ShardReport.LoadedDate(
            logDate: date.logDate, content: Manifest.Shard(events: merged.events, records: merged.records),
            days: merged.eventsBySourceAndDay, actions: merged.eventsBySourceAndAction)
    }

    /// Calls `body` with the shard as it is after the job. It has its cache on the machine's own disk.
    private func withScratch<Result>(_ body: (OutputFolder) throws -> Result) throws -> Result {
        try Folder.create(scratch)
        // What stays takes room only.
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        return try body(output.shard(shard, versions: job.after, cachePath: scratch + "/cache", scratchPath: scratch))
    }

    /// Copies the cache for these partitions from the output. Without it, what it held is computed again.
    private func copyCache(of versions: [Int32: String], to folder: String) {
        try? FileManager.default.copyItem(atPath: output.shardCachePath(shard, versions), toPath: folder)
    }

    /// Copies the cache to the output. Nothing is lost if that fails.
    private func storeCache(_ folder: String) throws {
        let cache = output.shardCachePath(shard, job.after)
        guard access(cache, F_OK) != 0 else { return }
        let temporary = "\(Folder.parent(of: cache))/.cache.\(job.token)-\(getpid()).tmp"
        do {
            try FileManager.default.copyItem(atPath: folder, toPath: temporary)
            try WholeFile.rename(temporary, to: cache)
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
        }
    }
}
