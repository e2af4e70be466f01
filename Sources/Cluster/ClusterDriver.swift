import Calendar
import Foundation
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix

/// The driver of a job on a cluster. It plans which files the tasks read, and loads the files that the tasks have made.
///
/// The driver is one process from the plan to the end, so that the output stays locked. It writes each step as a line
/// to its output, and waits for the answer on its input: see `ClusterStep`.
package struct ClusterDriver: LogDateLoader {
    private let channel: StepChannel
    private let run: PipelineRun

    /// - Parameters:
    ///   - input: an open descriptor from which answers are read.
    ///   - output: an open descriptor to which one line per step is written.
    package init(_ run: PipelineRun, input: Int32, output: Int32) {
        channel = StepChannel(input: input, output: output, stop: run.resources.stop)
        self.run = run
    }

    /// Asks for the files that match the patterns at URIs.
    package func listing(on dates: [LogDate]) throws -> FileListing {
        let patterns = run.pipeline.sources.flatMap(\.files.atURIs)
        var listing = FileListing()
        guard !patterns.isEmpty else { return listing }
        var step = ClusterStep(next: .find)
        step.globs = patterns.map { $0.hadoopGlob(on: dates.count == 1 ? dates[0] : nil) }
        let answer = try channel.ask(step)
        guard let found = try? JSONDecoder().decode([[FileListing.File]].self, from: answer),
            found.count == patterns.count
        else {
            throw Fault(
                .unreadableListing,
                text: "stdin does not have a list of files; use pushetl_spark.py of the same version")
        }
        for (pattern, files) in zip(patterns, found) { listing.add(files, of: pattern) }
        return listing
    }

    /// Has tasks read the files of log dates. From there on, all is as in a plain load.
    /// - Throws: also if a task's file does not belong to this job. No log date is then loaded.
    package func load(_ dates: [LogDate], from found: FoundInputs, in locked: LockedOutput) throws -> [LogDateReport] {
        // Leftovers only take up space, and the next command removes them.
        defer { locked.removeJobs() }
        let files = dates.filter { found.failure(on: $0) == nil }.map { ($0, found.files(on: $0)) }
        let job = try ClusterJob(run.pipeline, in: locked, files: files)
        if job.files.contains(where: \.isRead) {
            var step = ClusterStep(next: .read)
            step.job = job.folder
            step.dates = dates.map(\.description)
            step.files = job.files.filter(\.isRead)
            _ = try channel.ask(step)
        }
        let reader = JobFiles(job)
        try reader.check()
        return LocalLoader(run.pipeline, resources: run.resources, reader: reader).load(dates, from: found, in: locked)
    }

    /// Writes the last step: only the result remains to be printed.
    package static func sayDone(to output: Int32) throws {
        try StepChannel(input: -1, output: output, stop: StopFlag()).say(ClusterStep(next: .done))
    }
}
