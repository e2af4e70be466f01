import Calendar
import Events
import Foundation
import LogFiles
import Warehouse

/// Reads one file of a job, and writes its events and its accounts as frames.
package struct MapTask {
    private let job: ClusterJob
    private let number: Int
    private let file: InputFile
    private let plan: LogDatePlan
    private let resources: TaskResources

    /// - Parameters:
    ///   - number: that of the file.
    ///   - content: a file that has the bytes; nil if they are at the file's location.
    /// - Throws: `ClusterError`, `PipelineFileError`.
    package init(_ job: ClusterJob, file number: Int, content: String? = nil, _ resources: TaskResources) throws {
        guard job.files.indices.contains(number) else { throw ClusterError.foreignFrame }
        self.job = job
        self.number = number
        self.resources = resources
        let file = job.files[number]
        self.file = InputFile(
            source: file.source,
            found: FoundFile(path: file.path, location: content ?? file.location, bytes: file.bytes))
        let pipeline = try job.readPipeline()
        guard pipeline.sources.indices.contains(file.source) else { throw ClusterError.foreignFrame }
        plan = LogDatePlan(pipeline, date: LogDate(dayNumber: Int(file.logDate)), files: [self.file])
    }

    /// Writes the frames to a stream: events first, accounts last.
    ///
    /// - Throws: what a load throws, and `ClusterError`. A file that cannot be read is no error.
    package func run(to descriptor: Int32) throws {
        let writer = FrameWriter(descriptor)
        var context = job.context
        context.logDate = job.files[number].logDate
        let reading = try read(&context, writer)
        try writer.write(
            FileAccounts(file: number, reading: reading).bytes, .accounts, sender: number, context)
    }

    private func read(_ context: inout FrameContext, _ writer: FrameWriter) throws -> FileAccounts.Reading {
        do {
            var beginning = BeginningReader()
            let found = try file.naming { try beginning.read($0) }
            if let kind = found.foreignKind { return .foreign(kind, isInsideGzip: found.isGzipped) }
        } catch let error as LogFileError where error.step != .inflate {
            return .unopened(code: error.code)
        }
        var worker = FileWorker(
            number: 0, plan: plan, memory: resources.memory / 2, spillFolder: resources.scratch, idle: IdleThreads(0),
            progress: LoadProgress(), stop: resources.stop)
        let result: FileResult
        do {
            result = try worker.read(file)
        } catch let error as LogFileError where error.step != .inflate {
            return .unreadable(code: error.code)
        }
        context.file = result.report.fingerprint
        let totals = try share(try worker.finish(), context, writer)
        let records = totals.reduce(0) { $0 + $1.records }
        guard records == result.tally.accepted else {
            let events = totals.reduce(0) { $0 + $1.events }
            throw AccountsError.partitionMismatch(
                logDate: plan.date.description, accepted: result.tally.accepted, events: events,
                duplicates: records - events)
        }
        var report = result.report
        report.stamp = nil
        return .whole(report, result.tally, rejects: result.rejects, records: totals.map(\.records))
    }

    /// Writes the events by shard. Returns how many these are.
    private func share(
        _ read: (runs: [[EventRun]], deliveries: DeliveryTable), _ context: FrameContext, _ writer: FrameWriter
    ) throws -> [Manifest.Shard] {
        let (deliveries, renumbering) = DeliveryTable.merge([read.deliveries])
        var frames = EventFrames(
            Shards(job.shards), file: number, context, deliveries: deliveries, memory: resources.memory / 4, to: writer)
        for (index, section) in plan.sections.enumerated() where !read.runs[index].isEmpty {
            frames.begin(index, section)
            try RunMerger(read.runs[index], renumbering: renumbering).merge(.whole) { chunk in
                try resources.stop.check()
                try frames.add(chunk)
            }
            try frames.endSection()
        }
        return frames.totals
    }
}
