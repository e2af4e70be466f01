import Calendar
import Events
import LogFiles
import Pipelines
import Warehouse

/// Reads one file of a job, and writes its events and its accounts as frames.
package struct MapTask {
    private let job: ClusterJob
    private let number: Int
    /// Of the file alone.
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
        let pipeline = try job.readPipeline()
        guard let source = pipeline.sources.firstIndex(where: { $0.name == file.source }),
            let date = LogDate(file.logDate)
        else { throw ClusterError.foreignFrame }
        let found = FoundFile(path: file.path, location: content ?? file.location, bytes: file.bytes)
        plan = LogDatePlan(pipeline, date: date, files: [InputFile(source: source, found: found)])
    }

    /// Writes the frames to a stream: events first, accounts last.
    ///
    /// - Throws: what a load throws, and `ClusterError`. A file that cannot be read is no error.
    package func run(to descriptor: Int32) throws {
        let writer = FrameWriter(descriptor)
        var label = job.label
        label.sender = number
        label.logDate = Int32(plan.date.dayNumber)
        let accounts = try read(&label, writer)
        try writer.write(accounts, .accounts, label)
    }

    private func read(_ label: inout Frame.Label, _ writer: FrameWriter) throws -> FileAccounts {
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
            if let kind = error.foreignKind {
                return .foreign(ForeignFile(path: error.path, kind: kind))
            }
            return .unreadable(code: error.code)
        }
        // The plan has one file, so there is one result.
        guard let result = reading.results.first else { throw ClusterError.missingFile(path: job.files[number].path) }
        label.file = result.report.fingerprint
        let shared = try share(reading, label, writer)
        let records = shared.records.reduce(0, +)
        guard records == result.tally.accepted else {
            throw AccountsError.partitionMismatch(
                logDate: plan.date.description, accepted: result.tally.accepted, events: shared.events,
                duplicates: records - shared.events)
        }
        var report = result.report
        report.stamp = nil
        return .whole(report, result.tally, rejects: result.rejects, records: shared.records)
    }

    /// Writes the events by shard. Returns how many these are, and by shard their records.
    private func share(
        _ reading: LogDateReading, _ label: Frame.Label, _ writer: FrameWriter
    ) throws -> (events: Int, records: [Int]) {
        let (deliveries, renumbering) = DeliveryTable.merge(reading.deliveries)
        var frames = EventFrames(label, deliveries: deliveries, memory: resources.memory / 4, to: writer)
        var events = 0
        for (index, section) in plan.sections.enumerated() where !reading.runs[index].isEmpty {
            frames.begin(index, section)
            try RunMerger(reading.runs[index], renumbering: renumbering).merge(.whole) { chunk in
                try resources.stop.check()
                events += chunk.count
                try frames.add(chunk)
            }
            try frames.endSection()
        }
        return (events, frames.records)
    }
}
