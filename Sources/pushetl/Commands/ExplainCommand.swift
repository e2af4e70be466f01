import ArgumentParser
import Calendar
import Configuration
import Counting
import Events
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

/// The events of all messages that an id can mean.
struct Explanation: CommandResult {
    /// A way to read the id.
    struct Reading: Encodable {
        let broadlogId: String
        let kind: String
        let readAs: String

        init(_ reading: BroadlogIDReading, text: String) {
            broadlogId = reading.id.kind == .opaque ? Explanation.echo(text) : reading.id.description
            kind = "\(reading.id.kind)"
            readAs = reading.form.rawValue
        }

        var text: String {
            switch readAs {
            case "url": "\(broadlogId.shown) (as in a URL)"
            case "json_integer": "\(broadlogId.shown) (as a JSON integer)"
            case "values": "\(broadlogId.shown) (as the values of one id)"
            default: "\(broadlogId.shown) (as a JSON string)"
            }
        }
    }

    struct Message: Encodable {
        let reading: Reading
        let idSpace: String
        let events: [Event]
        /// The row of daily_funnel that the message is counted in.
        let funnel: [Funnel]

        private enum CodingKeys: CodingKey { case idSpace, events, funnel }

        func encode(to encoder: any Encoder) throws {
            try reading.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(idSpace, forKey: .idSpace)
            try container.encode(events, forKey: .events)
            try container.encode(funnel, forKey: .funnel)
        }
    }

    struct Event: Encodable {
        /// The earliest event that counts instead of another.
        struct Precedent: Encodable {
            let logDate: LogDate
            let time: String
            let source: String

            init(_ event: MessageEvent, _ zone: ZoneRules) {
                logDate = LogDate(dayNumber: Int(event.logDate))
                time = CalendarText.dateTime(ofMilliseconds: event.time, in: zone)
                source = event.source
            }
        }

        let logDate: LogDate
        let day: LogDate
        let time: String
        let source: String
        let deliveryId: String
        let platform: String
        let action: String
        let records: Int
        let counts: Bool
        let precededBy: Precedent?
        let isFirst: Bool

        init(_ entry: MessageHistory.Entry, _ zone: ZoneRules) {
            let event = entry.event
            logDate = LogDate(dayNumber: Int(event.logDate))
            day = LogDate(dayNumber: Int(event.day))
            time = CalendarText.dateTime(ofMilliseconds: event.time, in: zone)
            source = event.source
            deliveryId = event.delivery
            platform = event.platform.name
            action = event.action
            records = event.records
            counts = entry.precedent == nil
            precededBy = entry.precedent.map { Precedent($0, zone) }
            isFirst = entry.stages != nil
        }

        fileprivate var verdict: String {
            guard let precededBy else { return isFirst ? "counts, the message's first" : "counts" }
            return "duplicate of log date \(precededBy.logDate), \(precededBy.time), \(precededBy.source.shown)"
        }
    }

    struct Funnel: Encodable {
        let day: LogDate
        let platform: String
        let deliveryId: String
        let arrived: Bool
        let impressed: Bool
        let clicked: Bool
        let opened: Bool
        let dismissed: Bool

        /// Nil unless the event is the message's first.
        init?(_ entry: MessageHistory.Entry) {
            guard let stages = entry.stages else { return nil }
            day = LogDate(dayNumber: Int(entry.event.day))
            platform = entry.event.platform.name
            deliveryId = entry.event.delivery
            arrived = stages.contains(.arrived)
            impressed = stages.contains(.impressed)
            clicked = stages.contains(.clicked)
            opened = stages.contains(.opened)
            dismissed = stages.isDismissed
        }

        fileprivate var text: String {
            let stages = [
                ("arrived", arrived), ("impressed", impressed), ("clicked", clicked), ("opened", opened),
                ("dismissed", dismissed),
            ].filter(\.1).map(\.0)
            return "daily_funnel \(day), \(platform), \(deliveryId.shown): "
                + (stages.isEmpty ? "no stage" : stages.joined(separator: ", "))
        }
    }

    let id: String
    let timezone: String
    let windowDays: Int
    let partitions: Int
    /// The first log date whose ids are not erased; absent if none are.
    let idsSince: LogDate?
    /// All ids that were looked for.
    let readings: [Reading]
    let messages: [Message]

    /// An id as it may be shown: an e-mail address may not.
    static func echo(_ id: String) -> String { id.contains("@") ? "***" : id }

    init(_ id: String, _ readings: [BroadlogIDReading], _ search: MessageSearch, _ ids: HeldIDs, _ pipeline: Pipeline) {
        self.id = Explanation.echo(id)
        timezone = pipeline.zone.name
        windowDays = pipeline.windowDays
        partitions = search.partitions
        idsSince = ids.erasedBefore.map { LogDate(dayNumber: Int($0)) }
        self.readings = readings.map { Reading($0, text: id) }
        messages = zip(readings, self.readings).flatMap { wanted, reading in
            search.histories.filter { $0.section.kind == wanted.id.kind && $0.id == wanted.id.id }.map { history in
                Message(
                    reading: reading, idSpace: history.section.idSpace,
                    events: history.entries.map { Event($0, pipeline.zone) },
                    funnel: history.entries.compactMap(Funnel.init))
            }
        }
    }

    /// A table for each message, and below it its row of the funnel.
    var text: String {
        let erased = idsSince.map { "log dates before \($0) hold no ids any more" }
        guard !messages.isEmpty else { return notFound + (erased.map { "; \($0)" } ?? "") }
        return (messages.map(text) + [erased].compactMap(\.self)).joined(separator: "\n\n")
    }

    private var notFound: String {
        let looked = readings.map(\.text).joined(separator: " and for ")
        return
            "\(id.shown): no event of this message in \(Text.plural(partitions, "loaded log date")); looked for \(looked); "
            + "records that were filtered or rejected are not events"
    }

    private func text(of message: Message) -> String {
        let id = readings.count > 1 ? message.reading.text : message.reading.broadlogId.shown
        var table = Table([.left, .left, .left, .left, .left, .left, .left, .right, .left])
        table.add(["log date", "day", "time (\(timezone))", "source", "delivery", "platform", "action", "records", ""])
        for event in message.events {
            table.add([
                "\(event.logDate)", "\(event.day)", event.time, event.source.shown, event.deliveryId.shown,
                event.platform, event.action, Text.number(event.records), event.verdict,
            ])
        }
        let rows = (table.lines + [""] + message.funnel.map(\.text)).map { $0.isEmpty ? "" : "  " + $0 }
        return (["message \(id), id space \(message.idSpace.shown)", ""] + rows).joined(separator: "\n")
    }
}
