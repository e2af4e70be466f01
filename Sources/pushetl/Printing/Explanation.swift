import Calendar
import Configuration
import Counting
import Events
import Messages
import Output
import Partitions
import Records

/// The events of all messages that an id can mean.
struct Explanation: CommandResult {
    struct Message: Encodable {
        let broadlogId: String
        let kind: String
        /// How the given id was read.
        let readAs: String
        let idSpace: String
        let events: [Event]
        let funnel: [Funnel]
    }

    struct Event: Encodable {
        let logDate: String
        let day: String
        let time: String
        let source: String
        let deliveryId: String
        let platform: String
        let action: String
        let records: Int
        let counts: Bool
        /// The earliest event that counts instead.
        let precededBy: Precedent?
        let isFirst: Bool
    }

    struct Precedent: Encodable {
        let logDate: String
        let time: String
        let source: String
    }

    struct Funnel: Encodable {
        let day: String
        let platform: String
        let deliveryId: String
        let arrived: Bool
        let impressed: Bool
        let clicked: Bool
        let opened: Bool
        let dismissed: Bool
    }

    struct Reading: Encodable {
        let broadlogId: String
        let kind: String
        let readAs: String
    }

    let id: String
    let timezone: String
    let windowDays: Int
    let partitions: Int
    /// The first log date whose ids are not erased; absent if none are.
    let idsSince: String?
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
        idsSince = ids.erasedBefore.map(CalendarText.date)
        self.readings = readings.map { Reading($0, text: id) }
        messages = readings.flatMap { reading in
            search.histories.filter { $0.section.kind == reading.id.kind && $0.id == reading.id.id }
                .map { Message($0, Reading(reading, text: id), pipeline.zone) }
        }
    }
}

extension Explanation.Reading {
    init(_ reading: BroadlogIDReading, text: String) {
        broadlogId = reading.id.kind == .opaque ? Explanation.echo(text) : reading.id.description
        kind =
            switch reading.id.kind {
            case .hex: "hex"
            case .uuid: "uuid"
            case .opaque: "opaque"
            }
        readAs =
            switch reading.form {
            case .url: "url"
            case .jsonText: "json_text"
            case .jsonInteger: "json_integer"
            case .values: "values"
            }
    }
}

extension Explanation.Message {
    init(_ history: MessageHistory, _ reading: Explanation.Reading, _ zone: ZoneRules) {
        broadlogId = reading.broadlogId
        kind = reading.kind
        readAs = reading.readAs
        idSpace = history.section.idSpace
        events = history.entries.map { Explanation.Event($0, zone) }
        funnel = history.entries.compactMap { entry in
            entry.stages.map { Explanation.Funnel($0, first: entry.event) }
        }
    }
}

extension Explanation.Event {
    init(_ entry: MessageHistory.Entry, _ zone: ZoneRules) {
        let event = entry.event
        logDate = CalendarText.date(ofDay: event.logDate)
        day = CalendarText.date(ofDay: event.day)
        time = CalendarText.dateTime(ofMilliseconds: event.time, in: zone)
        source = event.source
        deliveryId = event.delivery
        platform = event.platform.name
        action = event.action
        records = event.records
        counts = entry.precedent == nil
        precededBy = entry.precedent.map { precedent in
            Explanation.Precedent(
                logDate: CalendarText.date(ofDay: precedent.logDate),
                time: CalendarText.dateTime(ofMilliseconds: precedent.time, in: zone), source: precedent.source)
        }
        isFirst = entry.stages != nil
    }
}

extension Explanation.Funnel {
    init(_ stages: Stages, first: MessageEvent) {
        day = CalendarText.date(ofDay: first.day)
        platform = first.platform.name
        deliveryId = first.delivery
        arrived = stages.contains(.arrived)
        impressed = stages.contains(.impressed)
        clicked = stages.contains(.clicked)
        opened = stages.contains(.opened)
        dismissed = stages.isDismissed
    }
}

extension Explanation {
    /// A table for each message, and below it its row of the funnel.
    var text: String {
        let erased = idsSince.map { "log dates before \($0) hold no ids any more" }
        guard !messages.isEmpty else { return notFound + (erased.map { "; \($0)" } ?? "") }
        return messages.map { message in
            ([heading(of: message), ""] + table(of: message) + [""] + message.funnel.map { "  " + $0.text })
                .joined(separator: "\n")
        }.joined(separator: "\n\n") + (erased.map { "\n\n\($0)" } ?? "")
    }

    private var notFound: String {
        let looked = readings.map(\.text).joined(separator: " and for ")
        return
            "\(id.shown): no event of this message in \(Text.plural(partitions, "loaded log date")); looked for \(looked); "
            + "records that were filtered or rejected are not events"
    }

    private func heading(of message: Message) -> String {
        let reading = Reading(broadlogId: message.broadlogId, kind: message.kind, readAs: message.readAs)
        return
            "message \(readings.count > 1 ? reading.text : message.broadlogId.shown), id space \(message.idSpace.shown)"
    }

    private func table(of message: Message) -> [String] {
        var columns = Columns([.left, .left, .left, .left, .left, .left, .left, .right, .left])
        columns.add([
            "log date", "day", "time (\(timezone))", "source", "delivery", "platform", "action", "records", "",
        ])
        for event in message.events {
            columns.add([
                event.logDate, event.day, event.time, event.source.shown, event.deliveryId.shown, event.platform,
                event.action, Text.number(event.records), event.verdict,
            ])
        }
        return columns.lines.map { "  " + $0 }
    }
}

extension Explanation.Reading {
    var text: String {
        switch readAs {
        case "url": "\(broadlogId.shown) (as in a URL)"
        case "json_integer": "\(broadlogId.shown) (as a JSON integer)"
        case "values": "\(broadlogId.shown) (as the values of one id)"
        default: "\(broadlogId.shown) (as a JSON string)"
        }
    }
}

extension Explanation.Event {
    fileprivate var verdict: String {
        guard let precededBy else { return isFirst ? "counts, the message's first" : "counts" }
        return "duplicate of log date \(precededBy.logDate), \(precededBy.time), \(precededBy.source.shown)"
    }
}

extension Explanation.Funnel {
    fileprivate var text: String {
        let stages = [
            ("arrived", arrived), ("impressed", impressed), ("clicked", clicked), ("opened", opened),
            ("dismissed", dismissed),
        ].filter(\.1).map(\.0)
        return "daily_funnel \(day), \(platform), \(deliveryId.shown): "
            + (stages.isEmpty ? "no stage" : stages.joined(separator: ", "))
    }
}
