import ArgumentParser
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Records

struct ExplainCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what became of one message, event by event.",
        discussion: """
            Shows every event of the message in all loaded log dates, whether it counts, and if not, which event came \
            before it. Also shows the row of daily_funnel that the message is counted in. The id may be written as in a URL \
            or as in a payload; of an id that is made of several values, give them with commas between. If it can be read \
            in several ways, all of them are looked for.

              pushetl explain h1685a5
              pushetl explain h1685a5,d57fd6,7
              pushetl explain 'https://t.example.com/r/?id=h1685a5,d57fd6,7&mcId=…'
              pushetl explain 6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6
              pushetl explain 6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6,d-7
            """)

    @Argument(
        help: ArgumentHelp(
            "The message's id, in any of its forms. If it begins with a dash, put -- before it.",
            valueName: "broadlog-id"))
    var ids: [String]

    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    /// The given id, or the parameter `id` of a URL, a query or a line of a log. What else these have may be personal, so it
    /// is never shown. Nil if there are parameters without an `id`.
    static func wanted(in argument: String) -> String? {
        var text = argument
        // A URL inside another one is escaped again.
        for _ in 0..<5 where !isQuery(text) { text = text.removingPercentEncoding ?? text }
        guard isQuery(text) else { return argument }
        for parameter in text.split(whereSeparator: { "?&;# \"'{}\t\n".contains($0) }) {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].lowercased() == "id" {
                return String((parts[1].removingPercentEncoding ?? String(parts[1])).prefix { !"?&;=\"".contains($0) })
            }
        }
        return nil
    }

    /// Whether a text has parameters, as in `id=h1685a5&mcId=…` or `{"security":"…"}`. An id in base 64 may end in `=`.
    private static func isQuery(_ text: String) -> Bool {
        text.contains(/[?&"]|=[^=]/)
    }

    func validate() throws {
        guard let id = ids.first else { return }
        guard let wanted = ExplainCommand.wanted(in: id) else {
            throw ValidationError("There is no parameter 'id'; give the id alone, or as id=….")
        }
        // Any number of values; the pipeline, which says how many there are, is not read yet.
        _ = try Self.readings(of: wanted, valueCounts: [1, wanted.split(separator: ",").count])
    }

    private static func readings(of wanted: String, valueCounts: Set<Int>) throws -> [BroadlogIDReading] {
        let readings = BroadlogIDReading.all(of: wanted, valueCounts: valueCounts)
        if !readings.isEmpty { return readings }
        throw ValidationError(
            "'\(Explanation.echo(wanted).shown)' is not a message's id: give it as in a URL (h1685a5), or as in a payload "
                + "(1685a5, a UUID, or another text of up to 128 bytes); 0 is no id.")
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // Not in `validate`: the value of an unknown option seems to be an id too, and the option is what must be named.
        guard ids.count == 1 else { throw ValidationError("Give one id, in quotes if it is a URL.") }
        let pipeline = try options.readPipeline()
        output.paths = ShownPaths(pipeline.folder)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: RunResources())
        let wanted = ids.first.flatMap(ExplainCommand.wanted) ?? ""
        let valueCounts = Set(pipeline.sources.map(\.fields.idParts.count).filter { $0 > 0 })
        let readings = try Self.readings(of: wanted, valueCounts: valueCounts)
        let search = try MessageSearch(
            readings.map { MessageSearch.Key(kind: $0.id.kind, id: $0.id.id) }, in: run.output, run.settings)
        for damaged in search.damaged {
            output.warn(damaged.message)
            output.end(.failedIO)
        }
        return Explanation(wanted, readings, search, try HeldIDs(in: run.output), pipeline)
    }
}
