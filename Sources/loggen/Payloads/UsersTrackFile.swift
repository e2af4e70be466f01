/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    var log: BodyLog
    private var body = TrackBody()
    /// The body of a request.
    private var text = ByteBuffer()
    private var agenda: Agenda
    /// Whether bodies stand in an array that has not ended, and whether the last line has not.
    private var isInArray = false
    private var isInLine = false
    private let isNoisy: Bool
    private let isOdd: Bool
    private let latePerMille: Int

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        log = BodyLog(
            universe: universe, file: file, pool: .usersTrack(file: file.index),
            request: .init(path: "/users/track", agent: "python-requests/2.32.3"), output: output)
        agenda = Agenda(start: log.start, end: log.end)
        isNoisy = universe.plan.noise != .none
        isOdd = universe.plan.noise == .all
        latePerMille = universe.plan.latePerMille
    }

    consuming func write() throws -> FileTruth {
        while !log.isFull {
            log.ahead = 0
            if log.random.below(1000) < (isOdd ? 25 : 0) {
                try writeOddBody(at: log.nextTime())
                continue
            }
            body.begin(key: nextMessage())
            let elements = min(log.file.records - log.output.records, 1 + log.random.below(8))
            log.ahead = elements - 1
            let time = log.nextTime()
            for _ in 0..<elements { addElement(at: time) }
            try writeBody(receipt: time)
            // The sender has no answer and sends the body once more.
            if log.random.perMille(15), log.file.records - log.output.records >= body.count {
                try writeBody(receipt: time + 2000)
            }
        }
        for _ in 0..<log.plan.longLines {
            endArray()
            log.output.buffer.append("{\"events\":[],\"note\":\"")
            log.output.buffer.append([UInt8](repeating: 0x41, count: 8 << 20))
            log.output.buffer.append("\"}\n")
            log.output.truth.count(.lineTooLong)
            try log.output.endRecord()
        }
        endArray()
        return try log.output.finish()
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private mutating func addElement(at time: Int) {
        let roll = log.random.below(1000)
        switch roll {
        case 0..<50 where isNoisy:
            let product = Self.products[log.random.below(Self.products.count)]
            body.addPurchase(of: product, user: user(), at: time)
        case 50..<120 where isNoisy:
            let user = user()
            body.addAttributes(ofUser: user, areVisits: log.random.below(2) == 1)
        case 120..<190 where isNoisy:
            var event = TrackEvent(message: nextMessage(), code: 7, time: time, user: user())
            event.name = .text(log.random.pick(Self.otherNames))
            event.truth.verdict = .unmappedAction
            body.add(event)
        case 190..<200 where isNoisy:
            var event = TrackEvent(message: nextMessage(), code: 7, time: time, user: user())
            event.tracking = "\"off\""
            event.truth.verdict = .trackingOff
            body.add(event)
        case 200..<280 where isOdd: body.add(oddEvent(at: time))
        case 280..<(280 + latePerMille): body.add(lateEvent())
        default: body.add(nextEvent(at: time))
        }
    }

    private static let products: [StaticString] = ["SKU-1041", "SKU-2210", "SKU-0007"]
    private static let otherNames = ["\"session_start\"", "\"product_viewed\"", "\"push_notification_opened\""]

    /// What is due of a push under way, or the first event of another.
    private mutating func nextEvent(at time: Int) -> TrackEvent {
        if let (entry, due) = agenda.next(by: time) { return step(entry, at: due) }
        // The sender gathers events for a while before it sends them.
        let sent = log.earlier(time, by: 120_000)
        var entry = nextEntry()
        let message = message(of: entry)
        log.output.truth.countRecipient(of: message, platform: log.universe.agents.agents[message.agent].platform)
        entry.rest = message.chain & 0xFFF
        return step(entry, at: sent, delay: message.chain & 15 == 7 ? message.delay * 1000 : nil)
    }

    /// The next event of a push; the ones after it are for later.
    private mutating func step(_ entry: Agenda.Entry, at time: Int, delay: Int? = nil) -> TrackEvent {
        let message = message(of: entry)
        if entry.rest > 15 {
            let due =
                delay.map { Sleep.delayed(time - log.start + $0, bits: UInt64(message.address)) + log.start }
                ?? time + log.random.below(3000)
            agenda.add(Agenda.Entry(index: entry.index, host: entry.host, rest: entry.rest >> 4), at: due)
        }
        let spellings = isOdd && log.random.perMille(200) ? TimeText.all : TimeText.common
        var event = TrackEvent(
            message: message, code: Int(entry.rest & 15), time: time, user: user(),
            spelling: log.random.pick(spellings))
        event.setPlatform(log.universe.agents.agents[message.agent].platform, mixed: log.random.below(4))
        return event
    }

    private mutating func lateEvent() -> TrackEvent {
        let date = log.file.date + -(1 + log.random.below(4))
        let (message, seen) = log.lateMessage(of: date)
        let time = message.chain > 15 ? min(seen + message.delay * 1000, log.start) : seen
        var event = TrackEvent(
            message: message, code: message.lastCode, time: time, user: user(),
            spelling: log.random.pick(TimeText.common))
        event.setPlatform(log.universe.agents.agents[message.agent].platform, mixed: log.random.below(4))
        return event
    }

    /// A push of this date, often one whose hits the collector has as well.
    mutating func nextMessage() -> Message {
        message(of: nextEntry())
    }

    private mutating func nextEntry() -> Agenda.Entry {
        guard let host = log.collectorHost(perMille: 400) else {
            return Agenda.Entry(index: Int32(log.ownIndex(after: body.count)), rest: 0)
        }
        return Agenda.Entry(index: Int32(log.index(ofHost: host, before: 64)), host: Int32(host), rest: 0)
    }

    private func message(of entry: Agenda.Entry) -> Message {
        let pool = entry.host.map { Universe.Pool.collector(file: Int($0)) } ?? log.pool
        return log.universe.message(log.file.date, pool, Int(entry.index))
    }

    mutating func user() -> Int {
        10_000 + log.random.below(90_000)
    }

    /// Writes a body of one event, as an odd request carried it.
    mutating func write(_ event: TrackEvent, key: Message, receipt: Int, web: WebPart) throws {
        body.begin(key: key)
        body.add(event)
        try writeBody(receipt: receipt, web: web)
    }

    /// Writes a body in one of the ways in which files hold them, and tells the truth about its elements.
    private mutating func writeBody(receipt: Int, web: WebPart = WebPart()) throws {
        var receiptTime: Int?
        if log.isBare {
            writeBare()
        } else {
            text.removeAll()
            body.write(pretty: false, into: &text)
            log.writeLine(text.bytes, web, from: Self.sender, receipt: receipt)
            receiptTime = web.timeIsBad ? nil : receipt
            if let verdict = web.verdict {
                log.output.truth.count(verdict)
                try log.output.endRecord()
                return
            }
        }
        for truth in body.truths {
            if let truth { log.tell(truth, receipt: receiptTime) } else { log.output.truth.count(.notAnEvent) }
        }
        try log.output.endRecord(body.count)
    }

    private static let sender = "198.51.100.7"

    /// One record that is a whole body: broken, or of another kind.
    mutating func writeWhole(_ whole: String, _ verdict: Meaning, receipt: Int) throws {
        if log.isBare {
            // Reading goes on at the next line that begins a body, so a broken one needs a line of its own.
            endArray()
            log.output.buffer.append(text: whole)
            log.output.buffer.append("\n")
        } else {
            text.removeAll()
            text.append(text: whole)
            log.writeLine(text.bytes, WebPart(), from: Self.sender, receipt: receipt)
        }
        log.output.truth.count(verdict)
        try log.output.endRecord()
    }

    private mutating func writeBare() {
        let way = isOdd ? log.random.below(20) : 19
        if isInArray { log.output.buffer.append(",\n") }
        if way == 0, !isInArray {
            log.output.buffer.append("[")
            isInArray = true
        }
        body.write(pretty: way == 1 || way == 2, into: &log.output.buffer)
        isInLine = true
        if isInArray {
            if way > 14 { endArray() }
        } else if way == 3 {
            log.output.buffer.append(" ")
        } else if way != 4 {
            endArray()
        }
    }

    /// Ends the array, or the line that bodies were run together on.
    private mutating func endArray() {
        if isInArray { log.output.buffer.append("]") }
        isInArray = false
        if isInLine { log.output.buffer.append("\n") }
        isInLine = false
    }
}
