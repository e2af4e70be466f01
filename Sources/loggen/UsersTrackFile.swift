import Reference

/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    private var log: LogFile
    private var body = TrackBody(order: 0)
    /// Whether bodies stand in an array that has not ended, and whether the last line has not.
    private var isInArray = false
    private var isInLine = false
    private let isNoisy: Bool
    private let isOdd: Bool

    init(_ log: consuming LogFile) {
        isNoisy = log.plan.noise != .none
        isOdd = log.plan.noise == .all
        self.log = log
    }

    consuming func write() throws -> LogFile.Summary {
        while !log.isFull {
            log.ahead = 0
            if log.random.draw(1000) < (isOdd ? 25 : 0) {
                try writeOddBody(at: log.nextTime())
                continue
            }
            body = TrackBody(order: message(of: nextEntry()).notification)
            let elements = min(log.file.records - log.records, 1 + log.random.draw(8))
            log.ahead = elements - 1
            let time = log.nextTime()
            for _ in 0..<elements { addElement(at: time) }
            try writeBody(receipt: time)
            // The sender has no answer and sends the body once more.
            if log.random.perMille(15), log.file.records - log.records >= body.count {
                try writeBody(receipt: time + 2000)
            }
        }
        endArray()
        return try log.finish()
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private mutating func addElement(at time: Int) {
        switch log.random.draw(1000) {
        case 0..<50 where isNoisy:
            let product = log.random.one(of: ["SKU-1041", "SKU-2210", "SKU-0007"])
            body.addPurchase(of: product, user: user(), at: time)
        case 50..<120 where isNoisy: body.addAttributes(ofUser: user(), areVisits: log.random.draw(2) == 1)
        case 120..<190 where isNoisy:
            let names = ["\"session_start\"", "\"product_viewed\"", "\"push_notification_opened\""]
            add(code: 7, at: time) { event, random in event.action = random.one(of: names) }
        case 190..<200 where isNoisy: add(code: 7, at: time) { event, _ in event.tracking = "\"off\"" }
        case 200..<280 where isOdd:
            let oddity = log.nextOddity(of: Oddity.event)
            add(code: [7, 2, 1][log.oddity % 3], at: time) { event, _ in event.apply(oddity) }
        case 280..<(280 + log.plan.latePerMille):
            let (message, seen) = log.lateMessage(daysBefore: 1 + log.random.draw(4))
            let time = message.chain > 15 ? min(seen + message.delay * 1000, log.start) : seen
            addUsual(message, code: message.lastCode, at: time)
        default: addNextEvent(at: time)
        }
    }

    /// Adds an event of some user with a change.
    private mutating func add(code: Int, at time: Int, _ change: (inout Payload, inout SplitMix64) -> Void) {
        var event = Payload(event: message(of: nextEntry()), code: code, time: time)
        let user = user()
        change(&event, &log.random)
        body.add(event, user: user)
    }

    /// What is due of a push under way, or the first event of another.
    private mutating func addNextEvent(at time: Int) {
        if let (entry, due) = log.agenda.next(by: time) {
            addStep(entry, at: due)
            return
        }
        // The sender gathers events for a while before it sends them.
        let sent = log.earlier(time, by: 120_000)
        var entry = nextEntry()
        let message = message(of: entry)
        log.countRecipient(of: message)
        entry.rest = message.chain & 0xFFF
        addStep(entry, at: sent, delay: message.firstCode == 7 ? message.delay * 1000 : nil)
    }

    /// Adds the next event of a push; the ones after it are for later.
    private mutating func addStep(_ entry: Agenda.Entry, at time: Int, delay: Int? = nil) {
        let message = message(of: entry)
        if entry.rest > 15 {
            log.schedule(
                Agenda.Entry(index: entry.index, host: entry.host, rest: entry.rest >> 4), of: message, after: time,
                delay: delay, soon: delay == nil ? log.random.draw(3000) : 0)
        }
        addUsual(message, code: Int(entry.rest & 15), at: time, mayBeRare: isOdd && log.random.perMille(200))
    }

    /// Adds an event with its time in one of the common spellings, or of all.
    private mutating func addUsual(_ message: Message, code: Int, at time: Int, mayBeRare: Bool = false) {
        let user = user()
        let spelling = log.random.draw(mayBeRare ? Payload.spellings.count : 7)
        var event = Payload(event: message, code: code, time: time, spelling: spelling)
        event.tell(message.agent.platform, mixed: log.random.draw(4))
        body.add(event, user: user)
    }

    /// A push of this date, often one whose hits the collector has as well.
    private mutating func nextEntry() -> Agenda.Entry {
        guard let host = log.collectorHost(perMille: 400) else {
            return Agenda.Entry(index: Int32(log.ownIndex(after: body.count)), rest: 0)
        }
        return Agenda.Entry(index: Int32(log.index(ofHost: host, before: 64)), host: Int32(host), rest: 0)
    }

    private func message(of entry: Agenda.Entry) -> Message {
        let pool = entry.host.map { Universe.Pool.file(.collector, Int($0)) } ?? log.pool
        return log.universe.message(log.file.date, pool, Int(entry.index))
    }

    private mutating func user() -> Int { 10_000 + log.random.draw(90_000) }

    private mutating func writeOddBody(at time: Int) throws {
        let whole = log.nextOddity(of: Oddity.body, step: 7).changes[0].value
        let message = message(of: Agenda.Entry(index: 0, rest: 0))
        // Reading goes on at the next line that begins a body, so a broken one needs a line of its own.
        endArray()
        write(message.fill(whole, code: 0), at: time)
        endArray()
        try log.endRecord()
    }

    /// Writes a body in one of the ways in which files hold them: on a line, over several, with others, in an array.
    private mutating func writeBody(receipt: Int) throws {
        let isBare = !log.plan.layout.hasBodies
        let way = isOdd && isBare ? log.random.draw(20) : 19
        if isInArray { log.buffer.append(",\n") }
        if way == 0, !isInArray {
            log.buffer.append("[")
            isInArray = true
        }
        write(body.text(pretty: isBare && (way == 1 || way == 2)), at: receipt)
        if isInArray ? way > 14 : way > 4 || way == 1 || way == 2 {
            endArray()
        } else if way == 3, !isInArray {
            log.buffer.append(" ")
        }
        try log.endRecord(body.count)
    }

    /// Writes a text on the present line, or the request that carried it.
    private mutating func write(_ body: Bytes, at time: Int) {
        if log.plan.layout.hasBodies {
            log.writeRequest("/users/track", "python-requests/2.32.3", body: body, from: "198.51.100.7", at: time)
        } else {
            log.buffer += body
            isInLine = true
        }
    }

    /// Ends the array, or the line that bodies were run together on.
    private mutating func endArray() {
        if isInArray { log.buffer.append("]") }
        isInArray = false
        if isInLine { log.buffer.append("\n") }
        isInLine = false
    }
}

/// One body in the making.
private struct TrackBody {
    /// Decides what stands before the lists, and whether empty ones are there.
    let order: UInt64
    /// The elements of each list, as texts.
    private var attributes: [Bytes] = []
    private var events: [Bytes] = []
    private var purchases: [Bytes] = []

    init(order: UInt64) {
        self.order = order
    }

    var count: Int { attributes.count + events.count + purchases.count }

    mutating func add(_ event: Payload, user: Int) {
        var text = Bytes()
        text.reserveCapacity(256)
        event.writeEvent(ofUser: user, into: &text)
        events.append(text)
    }

    mutating func addPurchase(of product: String, user: Int, at time: Int) {
        let sold = "\"product_id\":\"\(product)\",\"currency\":\"EUR\",\"price\":19.99,\"quantity\":1"
        var text = Bytes("{\"external_id\":\"user-\(user)\",\(sold),\"time\":")
        text.append(time: time, as: "\"%Y-%m-%dT%H:%M:%SZ\"}")
        purchases.append(text)
    }

    mutating func addAttributes(ofUser user: Int, areVisits: Bool) {
        let values =
            areVisits
            ? "\"visits\":{\"inc\":1},\"tags\":{\"add\":[\"otoño\"]},\"phone\":null"
            : "\"email\":\"user\(user)@example.com\",\"home_city\":\"Málaga\""
        attributes.append(Bytes("{\"external_id\":\"user-\(user)\",\(values)}"))
    }

    /// `pretty`: over several lines.
    func text(pretty: Bool) -> Bytes {
        var text = Bytes("{")
        func begin(_ name: String, _ value: String) {
            text.append(pretty ? "\n  \"\(name)\": " : "\"\(name)\":")
            text.append(value)
        }
        if order & 7 == 0 { begin("partner", "\"ExampleSender\"") }
        if order & 7 == 1 { begin("api_key", "\"00000000-0000-0000-0000-000000000000\"") }
        for (name, elements) in [("attributes", attributes), ("events", events), ("purchases", purchases)]
        where !elements.isEmpty || order & 24 == 0 {
            if text.count > 1 { text.append(",") }
            begin(name, "[")
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(",") }
                if pretty { text.append("\n    ") }
                text += element
            }
            text.append(pretty && !elements.isEmpty ? "\n  ]" : "]")
        }
        text.append(pretty ? "\n}" : "}")
        return text
    }
}
