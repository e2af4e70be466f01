import Calendar
import Configuration
import LogFiles
import Partitions

/// Loads log dates in this process, several at a time.
package struct LocalLoader: LogDateLoader {
    let pipeline: Pipeline
    let resources: RunResources
    let reader: any LogFileReader

    /// - Parameter reader: nil to read the files in this process.
    package init(_ pipeline: Pipeline, resources: RunResources, reader: (any LogFileReader)? = nil) {
        self.pipeline = pipeline
        self.resources = resources
        self.reader = reader ?? LocalReader()
    }

    /// Files of this machine need no listing, so it is empty.
    /// - Throws: `PipelineFileError` if a pattern is a URI.
    package func listing(on _: [LogDate]) throws -> FileListing {
        try pipeline.checkLocalFiles()
        return FileListing()
    }

    /// Loads log dates in parallel. Together they use the threads and the memory that one command may use. A log date
    /// that fails does not stop the others; a raised stop flag does. A log date that was not begun has no report.
    package func load(
        _ dates: [LogDate], from found: FoundInputs, in locked: LockedOutput
    ) -> [LogDateReport] {
        let atOnce = max(1, min(resources.jobs, dates.count))
        var share = resources
        share.jobs = max(1, resources.jobs / atOnce)
        share.memory = resources.memory / atOnce
        let bytes = dates.flatMap { found.files(on: $0) }.reduce(0) { $0 + $1.found.bytes }
        resources.progress.update { state in
            state.bytes += bytes
            state.dates += dates.count
            state.stage = .reading
        }
        return Fanout.compactMap(jobs: atOnce, pieces: dates.count) { [share] index in
            guard !share.stop.isRaised else { return nil }
            let date = dates[index]
            share.progress.begin(date)
            defer { share.progress.end(date) }
            let files = found.files(on: date)
            guard found.failure(on: date) == nil, !files.isEmpty else {
                return LogDateReport(unread: date, found: found)
            }
            let plan = LogDatePlan(pipeline, date: date, files: files)
            return LogDateLoad(plan: plan, locked: locked, resources: share, reader: reader).report()
        }
    }
}

/// Reads log files in this process.
private struct LocalReader: LogFileReader {
    func foreignFiles(of plan: LogDatePlan, resources: RunResources) throws -> [ForeignFile] {
        try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
    }

    func read(_ plan: LogDatePlan, resources: RunResources, spillFolder: String) throws -> LogDateReading {
        try plan.read(
            jobs: resources.jobs, memory: resources.memory, spillFolder: spillFolder, progress: resources.progress,
            stop: resources.stop)
    }
}
