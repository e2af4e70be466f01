import ArgumentParser
import Foundation
import Pipelines
import Records
import Warehouse

struct ExplainCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what became of one message, event by event.",
        discussion: """
            Every event of the message in all loaded log dates: whether it counts, or which one came before it, and \
            the row of daily_funnel that the message went to. The id may be spelled as in a URL or as in a payload; \
            where it can be read in several ways, all are looked for.

              pushetl explain h1685a5
              pushetl explain h1685a5,d57fd6,7
              pushetl explain 'https://t.example.com/r/?id=h1685a5,d57fd6,7&mcId=…'
              pushetl explain 6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6
            """)

    @Argument(
        help: ArgumentHelp(
            "The message's id, in any of its spellings; after -- if a dash comes first.",
            valueName: "broadlog-id"))
    var id: String

    @OptionGroup var options: PipelineOptions
    @OptionGroup(visibility: .hidden) var load: LoadOptions

    /// The given id, or the parameter `id` of a URL. The URL's other parameters are personal, so they are never shown.
    private var wanted: String {
        guard let query = id.firstIndex(of: "?") else { return id }
        let parameters = id[query...].dropFirst().prefix { $0 != " " && $0 != "#" }.split(separator: "&")
        guard let value = parameters.first(where: { $0.hasPrefix("id=") })?.dropFirst(3) else { return id }
        return value.removingPercentEncoding ?? String(value)
    }

    func validate() throws {
        guard !BroadlogIDReading.all(of: wanted).isEmpty else {
            throw ValidationError(
                "'\(wanted.shown)' is not a message's id: give it as in a URL (h1685a5), or as in a payload "
                    + "(1685a5, a UUID, or another text of up to 128 bytes); 0 is no id.")
        }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.readPipeline()
        let sentence = Sentence(pipeline)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: RunResources(jobs: load.jobs))
        let readings = BroadlogIDReading.all(of: wanted)
        let search = try MessageSearch(
            readings.map { MessageSearch.Key(kind: $0.id.kind, id: $0.id.id) }, in: run.output, run.settings)
        for damaged in search.damaged {
            output.warn(Message(damaged, sentence))
            output.end(.failedIO)
        }
        return Explanation(wanted, readings, search, pipeline)
    }
}
