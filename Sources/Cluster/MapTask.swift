import Calendar
import Events
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix

/// Reads one file of a job, and writes its events by shard and its accounts into the job's folder.
package struct MapTask {
    private let job: ClusterJob
    private let number: Int
    /// Of the file alone.
    private let plan: LogDatePlan
    private let resources: TaskResources

    /// - Parameters:
    ///   - number: that of the file.
    ///   - content: a file that has the bytes; nil if they are at the file's location.
    /// - Throws: `Fault`, `PipelineFileError`.
    package init(_ job: ClusterJob, file number: Int, content: String? = nil, _ resources: TaskResources) throws {
        let pipeline = try job.readPipeline()
        guard job.files.indices.contains(number), let date = LogDate(job.files[number].logDate),
            let source = pipeline.sources.firstIndex(where: { $0.name == job.files[number].source })
        else { throw ClusterError.unreadableJob(job.folder) }
        self.job = job
        self.number = number
        self.resources = resources
        let file = job.files[number]
        let found = FoundFile(path: file.path, location: content ?? file.location, bytes: file.bytes)
        plan = LogDatePlan(pipeline, date: date, files: [InputFile(source: source, found: found)])
    }

    /// - Throws: what a load throws, and `Fault`. A file that cannot be read is no error.
    package func run() throws {
        try resources.withScratch { scratch in
            let writer = try MappedFile.Writer(in: scratch)
            var (fingerprint, deliveries): (String?, [String]) = (nil, [])
            let accounts = try read { result, reading in
                fingerprint = result.report.fingerprint
                let (texts, renumbering) = DeliveryTable.merge(reading.deliveries)
                deliveries = texts
                return try share(reading, renumbering, result.tally.accepted, to: writer)
            }
            try job.check()
            let head = MappedFile.Head(label: job.label, fingerprint: fingerprint, deliveries: deliveries)
            try writer.install(head, accounts, at: job.path(of: number))
        }
    }

    /// Reads the file. `share` gives the accepted records by shard.
    private func read(_ share: (FileResult, LogDateReading) throws -> [Int]) throws -> MappedFile.Accounts {
        do {
            let foreign = try plan.foreignFiles(jobs: 1, stop: resources.stop)
            if let file = foreign.first { return .foreign(file) }
        } catch let error as LogFileError where error.step != .inflate {
            return .unopened(code: error.code)
        }
        let reading: LogDateReading
        do {
            reading = try plan.read(
                jobs: 1, memory: resources.memory / 2, spillFolder: resources.scratch, progress: LoadProgress(),
                stop: resources.stop)
        } catch let error as LogFileError where error.step != .inflate {
            if let kind = error.foreignKind { return .foreign(ForeignFile(path: error.path, kind: kind)) }
            return .unreadable(code: error.code)
        }
        // The plan has one file, so there is one result.
        guard let result = reading.results.first else { throw ClusterError.missingFile(job.files[number].path) }
        var report = result.report
        report.stamp = nil
        let records = try share(result, reading)
        return .whole(report, result.tally, rejects: result.rejects, records: records)
    }

    /// Writes the events by shard. Returns the records of each shard.
    private func share(
        _ reading: LogDateReading, _ renumbering: [[UInt32]], _ accepted: Int, to writer: MappedFile.Writer
    ) throws -> [Int] {
        let shards = Shards(job.shards)
        let capacity = max(EventBlock.capacity, resources.memory / 4 / MemoryLayout<Event>.stride)
        var waiting = [[Event]](repeating: [], count: shards.count)
        var records = [Int](repeating: 0, count: shards.count)
        var (held, count) = (0, 0)
        var encoder = EventBlockEncoder()
        for section in plan.sections.indices where !reading.runs[section].isEmpty {
            let seed = Shards.seed(plan.sections[section])
            func write(_ shard: Int) throws {
                let events = waiting[shard]
                guard !events.isEmpty else { return }
                waiting[shard] = []
                held -= events.count
                try writer.append(encoder.encode(events.span).bytes, shard: shard, section: section)
            }
            try RunMerger(reading.runs[section], renumbering: renumbering).merge(.whole) { chunk in
                try resources.stop.check()
                for index in chunk.indices {
                    let shard = shards.shard(of: chunk[index].id, seed)
                    waiting[shard].append(chunk[index])
                    records[shard] += Int(chunk[index].records)
                    if waiting[shard].count == EventBlock.capacity { try write(shard) }
                }
                (held, count) = (held + chunk.count, count + chunk.count)
                if held >= capacity { for shard in waiting.indices { try write(shard) } }
            }
            for shard in waiting.indices { try write(shard) }
        }
        let all = records.reduce(0, +)
        guard all == accepted else {
            throw Fault.lostRecords(plan.date, accepted: accepted, events: count, duplicates: all - count)
        }
        return records
    }
}
