import ArgumentParser
import Pipelines
import Warehouse

struct StatusCommand: ParsableCommand {
    /// Bytes of logs that it may read where only that tells whether a file has changed.
    private static let readLimit = 256 << 20

    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which log dates are loaded, which need loading again and why, and which days are final.",
        discussion: """
            A calendar of the log dates: C complete, P partial, S stale (a file is new or has other bytes, or the \
            pipeline has changed: 'pushetl backfill' loads it), X shrunk (files of it are gone), D damaged partition, \
            M missing though there are files, . missing. A day is final once a log date more than window_days after \
            it is loaded; only hits that reach the collector later still can change its figures.

              pushetl status
            """)

    @OptionGroup var options: PipelineOptions
    @OptionGroup(visibility: .hidden) var load: LoadOptions

    func run() throws {
        let pipeline = try options.readPipeline()
        let run = PipelineRun(pipeline, output: options.outputFolder, means: RunMeans(jobs: load.jobs))
        let status: WarehouseStatus
        do {
            let known = try run.knownLogDates(readLimit: StatusCommand.readLimit)
            for failure in known.failures { Console.warn(Sentence.of(failure)) }
            for warning in known.warnings {
                Console.warn(Sentence.of(warning, pipeline) + "; its files were not compared")
            }
            for damage in known.states.compactMap(\.damage) { Console.warn(Sentence.of(damage)) }
            status = try WarehouseStatus(run.output, known)
        } catch {
            throw Console.failure(error)
        }
        if options.json {
            try Console.result(status)
        } else if !options.quiet {
            try Console.result(status.text)
        }
    }
}
