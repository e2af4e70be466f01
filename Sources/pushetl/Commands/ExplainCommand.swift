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
            or as in a payload; of an id that is made of several values, give them with commas between, also if a value has \
            commas itself. If it can be read in several ways, all of them are looked for.

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

    /// The given id, or the value of the parameter `id` in a URL, a query or a log line. The rest of such a text may be
    /// personal, so it is never shown. Nil if there are parameters, but no `id`.
    static func wanted(in argument: String) -> String? {
        // An id alone, percent-encoded, may have any characters.
        if let match = argument.wholeMatch(of: /(?i:id)=([^?&;# "'{}\\\t\n]+)/) { return match.1.percentDecoded }
        var text = argument
        // A URL inside another URL is escaped more than once.
        for _ in 0..<5 where !isQuery(text) { text = text.removingPercentEncoding ?? text }
        guard isQuery(text) else { return argument }
        text = undoingEscapes(of: text)
        for parameter in text.split(whereSeparator: { "?&;# \"'{}\t\n".contains($0) }) {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].lowercased() == "id" {
                return String(parts[1].percentDecoded.prefix { !"&;\"\\".contains($0) })
            }
        }
        // An id itself may contain a percent sign, like the ids of FCM.
        return isQuery(argument) ? nil : argument
    }

    /// A line of a log may be JSON in JSON, or have nginx's escapes: `\u0026`, `\\u0026` and `\x26` are all `&`.
    private static func undoingEscapes(of text: String) -> String {
        text.replacing(/\\+(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))/) { escape in
            let digits = escape.1 ?? escape.2 ?? ""
            return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? String(escape.0)
        }
    }

    /// Whether a text has parameters, as in `id=h1685a5&mcId=…` or `{"security":"…"}`. An id in base 64 may end in `=`,
    /// and have another one after it.
    private static func isQuery(_ text: String) -> Bool {
        text.contains(/[?&"]|=[^=,\s]/)
    }

    func validate() throws {
        guard let id = ids.first else { return }
        guard let wanted = ExplainCommand.wanted(in: id) else {
            throw ValidationError(
                "There is no parameter 'id'; if all of it is the id, give it percent-encoded as id=….")
        }
        // The pipeline has not been read yet, so all numbers of values are possible.
        let counts = Self.anyCounts(wanted)
        if Self.areFew(counts, of: wanted) { _ = try Self.readings(of: wanted, valueCounts: counts) }
    }

    /// All numbers of values that may make up an id.
    private static func anyCounts(_ wanted: String) -> Set<Int> {
        Set(1...(wanted.utf8.count { $0 == UInt8(ascii: ",") } + 1))
    }

    /// Whether an id can be cut into so many values in few ways. Each way needs its own search.
    private static func areFew(_ valueCounts: Set<Int>, of wanted: String) -> Bool {
        valueCounts.allSatisfy { BroadlogIDReading.cuts(of: wanted, into: $0) <= 1000 }
    }

    /// The numbers of values to try: those of the pipeline file if it has made all partitions. A former one may have
    /// had any other.
    private static func valueCounts(of wanted: String, in partitions: PartitionSet, pipeline: Pipeline?) -> Set<Int> {
        let all = anyCounts(wanted)
        guard let pipeline else { return all }
        let isOfAll = partitions.summaries.allSatisfy { $0.pipeline == pipeline.fingerprint }
        if !isOfAll, areFew(all, of: wanted) { return all }
        return Set(pipeline.sources.map(\.fields.idParts.count).filter { $0 > 0 })
    }

    private static func readings(of wanted: String, valueCounts: Set<Int>) throws -> [BroadlogIDReading] {
        guard areFew(valueCounts, of: wanted) else {
            throw ValidationError("The id has so many commas that it can be cut into values in more than 1,000 ways.")
        }
        let readings = BroadlogIDReading.all(of: wanted, valueCounts: valueCounts)
        if !readings.isEmpty { return readings }
        throw ValidationError(
            "'\(Explanation.echo(wanted).shown)' is not a message's id: give it as in a URL (h1685a5), or as in a payload "
                + "(1685a5, a UUID, or another text of up to 128 bytes); 0 is no id.")
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // Not in `validate`: there, the value of an unknown option would look like a second id, and the error must name
        // the option.
        guard ids.count == 1 else { throw ValidationError("Give one id, in quotes if it is a URL.") }
        let (pipeline, settings) = try settings()
        output.paths = options.shownPaths(of: pipeline)
        let folder = try options.output(of: pipeline)
        let wanted = ids.first.flatMap(ExplainCommand.wanted) ?? ""
        let partitions = try PartitionSet(
            in: folder, record: ClosedDates(in: folder), known: KnownPartitions(in: folder),
            resources: RunResources().publishing)
        let readings = try Self.readings(
            of: wanted, valueCounts: Self.valueCounts(of: wanted, in: partitions, pipeline: pipeline))
        let search = try MessageSearch(
            readings.map { MessageSearch.Key(kind: $0.id.kind, id: $0.id.id) }, in: partitions, settings: settings)
        for damaged in search.damaged {
            output.fail(damaged.message)
            output.end(.failedIO)
        }
        return Explanation(
            of: wanted, readings: readings, search: search, ids: try StoredIDs(in: folder), settings: settings)
    }

    /// The settings of the pipeline file. With --output alone, the settings of the last publishing are enough.
    private func settings() throws -> (Pipeline?, PublicationSettings) {
        // If push.db cannot be read, the pipeline file is needed after all.
        if options.outputFolder != nil, options.file.pipeline == nil {
            let database = OutputDatabase(try options.output(of: nil))
            if let published = try? database.publishedSettings(programVersion) { return (nil, published) }
        }
        let pipeline = try options.file.readPipeline()
        return (pipeline, PublicationSettings(pipeline))
    }
}

extension Substring {
    /// The text without its percent-encoding; as it is if that is broken.
    fileprivate var percentDecoded: String { removingPercentEncoding ?? String(self) }
}

/// The events of all messages that an id can mean.
struct Explanation: CommandResult {
    /// A way to read the id.
    private struct Reading: Encodable, Equatable {
        let form: BroadlogIDReading.Form
        let kind: Section.Kind
        /// The id in a form that may be shown.
        let id: String

        func encode(to encoder: any Encoder) throws {
            try encoder.encode(["broadlog_id": id, "kind": "\(kind)", "read_as": form.rawValue])
        }

        var text: String {
            switch form {
            case .url: "\(id.shown) (as in a URL)"
            case .jsonInteger: "\(id.shown) (as a JSON integer)"
            case .values: "\(id.shown) (as the values of one id)"
            case .jsonText: "\(id.shown) (as a JSON string)"
            }
        }
    }

    private struct FoundMessage: Encodable {
        let reading: Reading
        let history: MessageHistory
        let zone: ZoneRules
        /// Log dates with erased ids within reach. Nobody knows whether these had an earlier event.
        let besideErased: Set<LogDate>

        func encode(to encoder: any Encoder) throws {
            try reading.encode(to: encoder)
            let entries = history.entries
            try encoder.encode([
                "id_space": history.section.idSpace, "events": entries.map(json), "funnel": entries.compactMap(funnel),
            ])
        }

        private func json(_ entry: MessageHistory.Entry) -> JSONObject {
            let event = entry.event
            let precedent: JSONObject? = entry.precedent.map { event in
                ["log_date": event.logDate.description, "time": time(event), "source": event.source]
            }
            return [
                "log_date": event.logDate.description, "day": event.day.description, "time": time(event),
                "source": event.source,
                "delivery_id": event.delivery, "platform": event.platform.name, "action": event.action,
                "records": event.records, "counts": isUnsure(entry.precedent == nil, entry) ? nil : precedent == nil,
                "preceded_by": precedent,
                "is_first": isUnsure(entry.stages != nil, entry) ? nil : entry.stages != nil,
            ]
        }

        /// Whether what is seen of an event need not be so, since an erased log date may have had an earlier one.
        private func isUnsure(_ isSeen: Bool, _ entry: MessageHistory.Entry) -> Bool {
            isSeen && besideErased.contains(entry.event.logDate)
        }

        /// The stages of the message, if the event is its first one for sure.
        private func stages(_ entry: MessageHistory.Entry) -> Stages? {
            besideErased.contains(entry.event.logDate) ? nil : entry.stages
        }

        /// The row of daily_funnel that the message is counted in; nil unless the event is the message's first.
        private func funnel(_ entry: MessageHistory.Entry) -> JSONObject? {
            stages(entry).map { stages in
                [
                    "day": entry.event.day.description, "platform": entry.event.platform.name,
                    "delivery_id": entry.event.delivery, "sent": stages.contains(.sent),
                    "failed": stages.contains(.failed), "arrived": stages.contains(.arrived),
                    "impressed": stages.contains(.impressed), "clicked": stages.contains(.clicked),
                    "opened": stages.contains(.opened), "dismissed": stages.isDismissed,
                ]
            }
        }

        /// A line for each event, then the message's row of daily_funnel.
        var lines: [String] {
            var table = TextTable([.left, .left, .left, .left, .left, .left, .left, .right, .left])
            let time = "time (\(zone.name))"
            table.add(["log date", "day", time, "source", "delivery", "platform", "action", "records", ""])
            for entry in history.entries {
                let event = entry.event
                table.add([
                    event.logDate.description, event.day.description, self.time(event), event.source.shown,
                    event.delivery.shown,
                    event.platform.name, event.action, Text.number(event.records), verdict(entry),
                ])
            }
            return table.lines + [""] + history.entries.compactMap(funnelLine)
        }

        private func verdict(_ entry: MessageHistory.Entry) -> String {
            guard let event = entry.precedent else {
                if besideErased.contains(entry.event.logDate) {
                    return "counts unless an erased log date has it earlier"
                }
                return entry.stages == nil ? "counts" : "counts, the message's first"
            }
            return "duplicate of log date \(event.logDate.description), \(time(event)), \(event.source.shown)"
        }

        private func funnelLine(_ entry: MessageHistory.Entry) -> String? {
            guard let stages = stages(entry) else { return nil }
            let names = [
                ("sent", stages.contains(.sent)), ("failed", stages.contains(.failed)),
                ("arrived", stages.contains(.arrived)), ("impressed", stages.contains(.impressed)),
                ("clicked", stages.contains(.clicked)), ("opened", stages.contains(.opened)),
                ("dismissed", stages.isDismissed),
            ].filter(\.1).map(\.0)
            let event = entry.event
            let list = names.isEmpty ? "no stage" : names.joined(separator: ", ")
            return "daily_funnel \(event.day), \(event.platform.name), \(event.delivery.shown): \(list)"
        }

        private func time(_ event: MessageEvent) -> String {
            CalendarText.dateTime(ofMilliseconds: event.time, in: zone)
        }
    }

    private let id: String
    private let settings: PublicationSettings
    private let partitions: Int
    /// The first log date whose ids are not erased; nil if none are.
    private let idsSince: String?
    /// All ids that were searched for. Different cuts of an id with commas look the same, and are listed once.
    private let readings: [Reading]
    private let messages: [FoundMessage]

    /// An id as it may be shown: an e-mail address may not, and no parameters that stand beside an id.
    static func echo(_ id: String) -> String { id.contains(/@|&.*=/) ? "***" : id }

    init(
        of id: String, readings: [BroadlogIDReading], search: MessageSearch, ids: StoredIDs,
        settings: PublicationSettings
    ) {
        self.id = Explanation.echo(id)
        self.settings = settings
        partitions = search.partitions
        idsSince = ids.erasedBefore?.description
        let shown = readings.map { reading in
            let shown = reading.id.kind == .opaque ? Explanation.echo(id) : reading.id.description
            return Reading(form: reading.form, kind: reading.id.kind, id: shown)
        }
        self.readings = shown.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        messages = zip(readings, shown).flatMap { wanted, reading in
            search.histories.filter { $0.section.kind == wanted.id.kind && $0.id == wanted.id.id }
                .map { history in
                    let besideErased = history.entries.map(\.event.logDate)
                        .filter { ids.areErased(within: settings.windowDays, of: $0) }
                    return FoundMessage(
                        reading: reading, history: history, zone: settings.zone, besideErased: Set(besideErased))
                }
        }
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "id": id, "timezone": settings.zone.name, "window_days": settings.windowDays, "partitions": partitions,
            "ids_since": idsSince, "readings": readings, "messages": messages,
        ])
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
            "\(id.shown): no event of this message in \(Text.plural(partitions, of: "loaded log date")); looked for \(looked); "
            + "records that were filtered or rejected are not events"
    }

    private func text(of message: FoundMessage) -> String {
        let id = readings.count > 1 ? message.reading.text : message.reading.id.shown
        let rows = message.lines.map { $0.isEmpty ? "" : "  " + $0 }
        return (["message \(id), id space \(message.history.section.idSpace.shown)", ""] + rows)
            .joined(separator: "\n")
    }
}
