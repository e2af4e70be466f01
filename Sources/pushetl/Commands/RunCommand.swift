import ArgumentParser

struct RunCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Load a log date and publish the daily figures.",
        discussion: """
            For cron, every night:
              pushetl run --pipeline /etc/pushetl/push.yaml

            The same, and those of the seven log dates before that lack something or have new files:
              pushetl run --catch-up 7

            One log date again, with the files that it has got since:
              pushetl run --date 2026-11-19

            Loading a date twice counts nothing twice. A load that changes nothing writes nothing. A partial load (a \
            damaged file, a missing source) does not replace a complete one. A load with too many rejects is held back. So \
            is one that would lose more than half of a source's events. --force loads them all the same.

            For monitoring by Prometheus:
              pushetl run --metrics /var/lib/prometheus/node-exporter/pushetl.prom
            """)

    @OptionGroup var dates: LogDateOptions

    @Flag(help: LoadOptions.noProgressHelp)
    var noProgress = false

    @OptionGroup var load: LoadOptions
    @OptionGroup var metrics: MetricsOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    var metricsFile: String? { metrics.metrics }
    var metricsFolder: String? { options.knownOutput }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.file.readPipeline(loadsPastDates: dates.catchUp > 0)
        let loading = Loading(
            pipeline: pipeline, load: load, options: options, printing: printing, output: output,
            showsProgress: !noProgress)
        return try loading.run(dates.request(pipeline))
    }
}
