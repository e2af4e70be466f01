import Configuration
import Counting
import Foundation
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
        output = OutputFolder(job.output)
        try job.checkOutput()
        scratch = "\(resources.scratch)/pushetl-\(job.token)-\(shard)-\(getpid())"
    }

    /// Merges frames of events into the shard's partitions of the log dates that are loaded, counts, and reports.
    ///
    /// - Throws: what a load and a publishing throw, and `ClusterError`.
    package func reduce(from input: Int32, to descriptor: Int32) throws {
        try withScratch {
            var events = try ShardEvents(job, shard, pipeline, memory: resources.memory / 2, spillFolder: scratch)
            let reader = FrameReader(input, stop: resources.stop)
            while let frame = try reader.next() { try events.add(frame) }
            try job.checkOutput()
            let folder = folder(cachePath: scratch + "/cache")
            try Folder.create(folder.partitionsPath)
            try copyCache(from: output.shardCachePath(shard, job.before), to: folder.cachePath)
            let dates = try events.finish().map { try load($0, in: folder) }
            var publishing = publishingResources
            publishing.justWritten = Set(dates.map(\.logDate))
            let figures = try ShardFigures(of: folder, settings, resources: publishing)
            try storeCache(folder.cachePath)
            let report = ShardReport(shard: shard, dates: dates, digests: figures.digests)
            try FrameWriter(descriptor).write(report.bytes, .report, sender: shard, job.context)
        }
    }

    /// Writes the figures of the days that are asked for, one document a day.
    ///
    /// - Throws: what a publishing throws, and `ClusterError`.
    package func writeFigures(to descriptor: Int32) throws {
        try withScratch {
            let cache = output.shardCachePath(shard, job.after)
            try copyCache(from: cache, to: scratch + "/cache")
            var figures = try ShardFigures(
                of: folder(cachePath: scratch + "/cache"), settings, resources: publishingResources)
            let writer = FrameWriter(descriptor)
            for day in try figures.figures(of: job.days) {
                try resources.stop.check()
                try writer.write(
                    day.bytes, .figures, key: Frame.key(ofDay: day.day), sender: shard, job.context)
            }
        }
    }

    private func folder(cachePath: String) -> OutputFolder {
        output.shard(shard, versions: job.after, cachePath: cachePath, scratchPath: scratch)
    }

    private var settings: PublicationSettings { PublicationSettings(pipeline) }

    private var publishingResources: PublishingResources {
        let stop = resources.stop
        return PublishingResources(memory: resources.memory / 2, isStopped: { stop.isRaised })
    }

    /// Writes the shard's partition of a log date, unless it is there already.
    private func load(_ events: ShardEvents.OfDate, in folder: OutputFolder) throws -> ShardReport.LoadedDate {
        let logDate = events.date.logDate
        let writer = try PartitionWriter(logDate: logDate, folder: folder, version: events.date.version)
        let merged = try events.plan.merge(events.reading, into: writer, jobs: 1, stop: resources.stop)
        guard merged.records == events.date.records[shard] else {
            throw AccountsError.shardMismatch(
                logDate: events.plan.date.description, shard: shard, accepted: events.date.records[shard],
                records: merged.records)
        }
        writer.conclude(
            PartitionSummary(
                logDate: logDate, status: events.date.status, files: 0, records: merged.records,
                accepted: merged.records, filtered: 0, rejected: 0, events: merged.events,
                duplicates: merged.records - merged.events, clockFallback: 0, pipeline: pipeline.fingerprint,
                zone: pipeline.zone.version, windowDays: pipeline.windowDays, version: events.date.version))
        try resources.stop.check()
        let standing = try? Partition(logDate: logDate, folder: folder)
        // Whatever is wrong with the one that is there, the new one replaces it.
        let isSound =
            standing?.summary.version == events.date.version
            && (try? standing?.verify { resources.stop.isRaised }) != nil
        try resources.stop.check()
        if isSound {
            writer.discard()
        } else {
            try writer.install()
        }
        return ShardReport.LoadedDate(
            logDate: logDate, content: Manifest.Shard(events: merged.events, records: merged.records),
            days: [ShardReport.SourceDay](merged.standalone.tables.daily.eventsBySourceAndDay))
    }

    private func withScratch<Result>(_ body: () throws -> Result) throws -> Result {
        try Folder.create(scratch)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        return try body()
    }

    /// Without a cache, what it held is computed again.
    private func copyCache(from cache: String, to folder: String) throws(SystemError) {
        try Folder.create(folder)
        for name in (try? Folder.names(in: cache)) ?? [] {
            guard let bytes = try? WholeFile.readFile("\(cache)/\(name)") else { continue }
            try? WholeFile.store(bytes, at: "\(folder)/\(name)", durably: false)
        }
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
