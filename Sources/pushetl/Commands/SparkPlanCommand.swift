import ArgumentParser
import Cluster
import Foundation

struct SparkPlanCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark-plan",
        abstract: "Plan a load on Apache Spark, and finish it once the files are read.",
        discussion: """
            pushetl_spark.py starts it, reads from its stdout the log dates to load and their files, as one line of JSON, runs \
            a task for each file, and answers by a line on its stdin. See the article 'On Apache Spark'.

              pushetl spark-plan --date 2026-11-19
            """,
        shouldDisplay: false)

    @OptionGroup var dates: LogDateOptions
    @OptionGroup var range: RangeOptions

    @OptionGroup var retention: RetentionOptions
    @OptionGroup var load: LoadOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    /// The result has the same form as that of the plain command.
    var nameInJSON: String { range.isGiven || retention.isGiven ? "backfill" : "run" }

    func validate() throws {
        guard !range.isGiven || !dates.isGiven else {
            throw ValidationError("--date is for one log date: give it, or --from and --to, or --last.")
        }
        if retention.isGiven {
            let standsAlone = !range.isGiven && !dates.isGiven && range.only == nil
            return try retention.check(standsAlone: standsAlone)
        }
        guard range.isGiven || range.only == nil else {
            throw ValidationError("--only is for --from and --to, or --last.")
        }
        if range.isGiven { try range.check() }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // The reader of the lines waits for it, however the command ends.
        defer { try? ClusterDriver.sayDone(to: STDOUT_FILENO) }
        let pipeline = try options.file.readPipeline(loadsPastDates: range.isGiven || dates.catchUp > 0)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output, showsProgress: false)
        var request =
            try retention.isGiven
            ? retention.request(pipeline) : range.isGiven ? range.request(pipeline) : dates.request(pipeline)
        request.origin = "spark "
        return try loading.run(request) { run in
            ClusterDriver(run, input: STDIN_FILENO, output: STDOUT_FILENO)
        }
    }
}
