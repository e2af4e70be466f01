import Reference

/// A file of /users/track bodies.
final class BodiesFile: LogFile {
    // The elements of each list of a body in the making, as JSON texts.
    private var attributes: [String] = []
    private var events: [String] = []
    private var purchases: [String] = []

    private var count: Int { attributes.count + events.count + purchases.count }

    override func writeSome(at time: Int) throws {
        if random.perMille(noise == .all ? 60 : 0) { return try writeOdd(message(at: ownIndex()), at: time) }
        attributes = []
        events = []
        purchases = []
        let elements = min(rest, 1 + random.below(8))
        ahead = elements - 1
        let time = nextTime()
        for _ in 0..<elements { addElement(at: time) }
        ahead = 0
        let body = body()
        try write(body: body, records: elements)
        // The sender has no answer and sends the body once more.
        if random.perMille(15), rest >= elements { try write(body: body, records: elements) }
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private func addElement(at time: Int) {
        switch random.below(1000) {
        case 0..<50:
            let sold = #""product_id":"SKU-\#(1041 + random.below(3))","currency":"EUR","price":19.99,"quantity":1"#
            purchases.append("{\(user()),\(sold),\"time\":\(text(of: time))}")
        case 50..<85: attributes.append("{\(user()),\"visits\":{\"inc\":1},\"phone\":null}")
        case 85..<120: attributes.append("{\(user()),\"email\":\"a@example.com\",\"home_city\":\"Málaga\"}")
        case 120..<190:
            let name = random.pick(["session_start", "product_viewed", "push_notification_opened"])
            addEvent(name, of: message(of: nextEntry()), at: time)
        case 190..<200:
            let off = #""_acsDeliveryTracking":"off""#
            addEvent("push_impression", of: message(of: nextEntry()), at: time, more: off)
        case 280..<(280 + late):
            let (message, seen) = lateMessage(daysBefore: 1 + random.below(4))
            let time = message.chain > 15 ? min(seen + message.delay * 1000, clock.start) : seen
            addUsual(message, code: message.lastCode, at: time)
        default: addNextEvent(at: time)
        }
    }

    /// What is due of a push under way, or the first event of another.
    private func addNextEvent(at time: Int) {
        if let (entry, due) = nextDue(by: time) { return addStep(entry, of: message(of: entry), at: due) }
        // The sender gathers events for a while before it sends them.
        let sent = earlier(time, by: 120_000)
        var entry = nextEntry()
        let message = message(of: entry)
        entry.rest = message.chain & 0xFFF
        addStep(entry, of: message, isFirst: true, at: sent)
    }

    /// Adds the next event of a push; the ones after it are for later.
    private func addStep(_ entry: Entry, of message: Message, isFirst: Bool = false, at time: Int) {
        if entry.rest > 15 { schedule(after: entry, of: message, isFirst: isFirst, at: time, soon: random.below(3000)) }
        addUsual(message, code: Int(entry.rest & 15), at: time)
    }

    /// Buttons have no events.
    private func addUsual(_ message: Message, code: Int, at time: Int) {
        let name = code == 1 ? "push_open" : code == 2 ? "push_click" : "push_impression"
        let spellings = ["ios": ["iOS", "ios"], "android": ["Android", "android"]]
        let platforms = spellings[message.agent.platform] ?? ["WEB", ""]
        addEvent(name, of: message, at: time, more: "\"platform\":\"\(random.pick(platforms))\"")
    }

    /// - Parameter more: another property.
    private func addEvent(_ name: String, of message: Message, at time: Int, more: String? = nil) {
        let ids = #""broadlogId":"h\#(message.id)","deliveryId":"\#(message.deliveryText)""#
        let properties = #""properties":{\#(ids)\#(more.map { "," + $0 } ?? "")}"#
        let members = [user(), #""name":"\#(name)""#, "\"time\":\(text(of: time))", properties]
        events.append("{\((random.perMille(800) ? members : members.reversed()).joined(separator: ","))}")
    }

    /// In one of the forms that the sender's libraries have.
    private func text(of milliseconds: Int) -> String {
        if random.perMille(150) { return String(milliseconds) }
        if random.perMille(150) { return String(floored(milliseconds, by: 1000)) }
        let time = GeneratedTime(milliseconds: milliseconds, zone: universe.zone)
        return "\"\(time.iso8601(defaultOffset: 0, &random))\""
    }

    private func body() -> String {
        var members: [String] = []
        if random.perMille(125) { members.append(#""partner":"ExampleSender""#) }
        if random.perMille(125) { members.append(#""api_key":"00000000-0000-0000-0000-000000000000""#) }
        let hasEmptyLists = random.perMille(250)
        for (name, elements) in [("attributes", attributes), ("events", events), ("purchases", purchases)]
        where !elements.isEmpty || hasEmptyLists {
            members.append("\"\(name)\":[\(elements.joined(separator: ","))]")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// A push of this date, often one whose hits the collector has as well.
    private func nextEntry() -> Entry {
        guard let host = collectorHost(perMille: 400) else { return Entry(index: ownIndex(after: count)) }
        return Entry(index: index(ofHost: host, before: 64), host: host)
    }

    private func message(of entry: Entry) -> Message { message(at: entry.index, ofHost: entry.host) }

    private func user() -> String { "\"external_id\":\"user-\(10_000 + random.below(90_000))\"" }
}
