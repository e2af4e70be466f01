/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    var log: BodyLog
    private var body = TrackBody()
    /// The body of a request.
    private var text = ByteBuffer()
    /// The user whose push is under way, and the steps still to come.
    private var message: Message
    private var rest: UInt32 = 0
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
        message = universe.message(file.date, .usersTrack(file: file.index), 0)
        isNoisy = universe.plan.noise != .none
        isOdd = universe.plan.noise == .all
        latePerMille = universe.plan.latePerMille
    }

    consuming func write() throws -> FileTruth {
        while !log.isFull {
            let time = log.nextTime()
            if log.random.below(1000) < (isOdd ? 25 : 0) {
                try writeOddBody(at: time)
                continue
            }
            let room = log.file.records - log.output.records
            body.begin(key: message)
            for _ in 0..<min(room, 1 + log.random.below(8)) { addElement(at: time) }
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

    private mutating func nextEvent(at time: Int) -> TrackEvent {
        if rest == 0 {
            message = nextMessage()
            rest = message.chain & 0xFFF
        }
        let code = Int(rest & 15)
        rest >>= 4
        // The sender gathers events for a while before it sends them.
        let sent = time - log.random.below(120_000)
        let spellings = isOdd && log.random.perMille(200) ? TimeText.all : TimeText.common
        var event = TrackEvent(
            message: message, code: code, time: sent, user: user(), spelling: log.random.pick(spellings))
        event.setPlatform(log.universe.agents.agents[message.agent].platform, mixed: log.random.below(4))
        return event
    }

    private mutating func lateEvent() -> TrackEvent {
        let date = log.file.date + -(1 + log.random.below(4))
        let message = log.universe.message(date, log.pool, log.random.below(max(1, log.file.records / 2)))
        let start = log.universe.plan.zone.start(of: date) * 1000
        let time = start + log.random.below(86_400_000)
        var event = TrackEvent(
            message: message, code: message.lastCode, time: time, user: user(),
            spelling: log.random.pick(TimeText.common))
        event.setPlatform(log.universe.agents.agents[message.agent].platform, mixed: log.random.below(4))
        return event
    }

    /// A push of this date, often one whose hits the collector has as well.
    mutating func nextMessage() -> Message {
        if let host = log.collectorHost(perMille: 400) { return log.message(ofHost: host) }
        return log.ownMessage()
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
