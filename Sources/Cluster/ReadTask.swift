import Calendar
import Events
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix

/// Reads one file of a job, and writes its sorted events and its accounts into the job's folder.
package struct ReadTask {
    private let job: ClusterJob
    private let file: ClusterJob.File
    /// A plan with this one file.
    private let plan: LogDatePlan
    private let resources: TaskResources

    /// - Parameters:
    ///   - number: the file's number in the job.
    ///   - content: the path of a file with the bytes; nil to read the file at its location.
    /// - Throws: `Fault`, `PipelineFileError`.
    package init(_ job: ClusterJob, file number: Int, content: String? = nil, resources: TaskResources) throws {
        let pipeline = try job.readPipeline()
        guard job.files.indices.contains(number), let date = LogDate(job.files[number].logDate),
            let source = pipeline.sources.firstIndex(where: { $0.name == job.files[number].source })
        else { throw ClusterError.unreadableJob(job.folder) }
        self.job = job
        self.resources = resources
        file = job.files[number]
        let found = FoundFile(path: file.path, location: content ?? file.location, bytes: file.bytes)
        plan = LogDatePlan(pipeline, date: date, files: [InputFile(source: source, found: found)])
    }

    /// - Throws: what a load throws, and `Fault`. A log file that cannot be read is no error: the driver decides what
    ///   follows.
    package func run() throws {
        try resources.withScratch { scratch in
            let writer = try JobFile.Writer(in: scratch)
            var deliveries: [String] = []
            let accounts = try read { result, reading in
                let (texts, renumbering) = DeliveryTable.merge(reading.deliveries)
                deliveries = texts
                try write(reading, renumbering: renumbering, accepted: result.tally.accepted, to: writer)
            }
            try job.check()
            try writer.install(accounts, deliveries: deliveries, of: file, in: job)
        }
    }

    private func read(_ write: (FileResult, LogDateReading) throws -> Void) throws -> JobFile.Accounts {
        do {
            let foreign = try plan.foreignFiles(jobs: 1, stop: resources.stop)
            if let file = foreign.first { return .foreign(file) }
        } catch let error as LogFileError where error.step != .inflate {
            return .unopened(code: error.code)
        }
        let reading: LogDateReading
        do {
            // The merge below needs the other half of the memory.
            reading = try plan.read(
                jobs: 1, memory: resources.memory / 2, spillFolder: resources.scratch, progress: LoadProgress(),
                stop: resources.stop)
        } catch let error as LogFileError where error.step != .inflate {
            if let kind = error.foreignKind { return .foreign(ForeignFile(path: error.path, kind: kind)) }
            return .unreadable(code: error.code)
        }
        // The plan has one file, so there is one result.
        guard let result = reading.results.first else { throw ClusterError.missingFile(file.path) }
        var report = result.report
        report.stamp = nil
        try write(result, reading)
        return .whole(report, result.tally, rejects: result.rejects, names: result.names)
    }

    private func write(
        _ reading: LogDateReading, renumbering: [[UInt32]], accepted: Int, to writer: JobFile.Writer
    ) throws {
        var records = 0
        var count = 0
        var encoder = EventBlockEncoder()
        for section in plan.sections.indices where !reading.runs[section].isEmpty {
            try RunMerger(reading.runs[section], renumbering: renumbering).merge(.whole) { chunk in
                try resources.stop.check()
                count += chunk.count
                for index in chunk.indices { records += Int(chunk[index].records) }
                try writer.append(encoder.encode(chunk).bytes, section: section)
            }
        }
        guard records == accepted else {
            throw Fault.lostRecords(plan.date, accepted: accepted, events: count, duplicates: records - count)
        }
    }
}
