import Reference

/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    private var log: LogFile
    private var body = TrackBody()
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

    consuming func write() throws -> FileTruth {
        while !log.isFull {
            log.ahead = 0
            if log.random.draw(1000) < (isOdd ? 25 : 0) {
                try writeOddBody(at: log.nextTime())
                continue
            }
            body.begin(key: nextMessage())
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
        for _ in 0..<log.plan.longLines {
            endArray()
            try log.writeLongRecord("{\"events\":[],\"note\":\"", 0x41, count: 8 << 20, "\"}\n")
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
        case 50..<120 where isNoisy:
            let user = user()
            body.addAttributes(ofUser: user, areVisits: log.random.draw(2) == 1)
        case 120..<190 where isNoisy:
            add(nextMessage(), code: 7, at: time) { event, random in
                event.actionText = random.one(of: Self.otherNames)
                event.verdict = .unmappedAction
            }
        case 190..<200 where isNoisy:
            add(nextMessage(), code: 7, at: time) { event, _ in
                event.trackingText = "\"off\""
                event.verdict = .trackingOff
            }
        case 200..<280 where isOdd:
            let oddity = log.nextOddity(of: Oddity.event)
            add(nextMessage(), code: [7, 2, 1][log.oddity % 3], at: time) { event, _ in event.apply(oddity) }
        case 280..<(280 + log.plan.latePerMille): addLateEvent()
        default: addNextEvent(at: time)
        }
    }

    private static let otherNames = ["\"session_start\"", "\"product_viewed\"", "\"push_notification_opened\""]

    /// Adds an event of some user with a change.
    private mutating func add(
        _ message: Message, code: Int, at time: Int, _ change: (inout Payload, inout SplitMix64) -> Void
    ) {
        let user = user()
        var event = Payload(event: message, code: code, time: time)
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
        addStep(entry, at: sent, delay: message.chain & 15 == 7 ? message.delay * 1000 : nil)
    }

    /// Adds the next event of a push; the ones after it are for later.
    private mutating func addStep(_ entry: Agenda.Entry, at time: Int, delay: Int? = nil) {
        let message = message(of: entry)
        if entry.rest > 15 {
            log.schedule(
                Agenda.Entry(index: entry.index, host: entry.host, rest: entry.rest >> 4), of: message, after: time,
                delay: delay, soon: delay == nil ? log.random.draw(3000) : 0)
        }
        let spellings = isOdd && log.random.perMille(200) ? TimeText.all : TimeText.common
        addUsual(message, code: Int(entry.rest & 15), at: time, spellings)
    }

    private mutating func addLateEvent() {
        let date = log.file.date.adding(days: -(1 + log.random.draw(4)))
        let (message, seen) = log.lateMessage(of: date)
        let time = message.chain > 15 ? min(seen + message.delay * 1000, log.clock.start) : seen
        addUsual(message, code: message.lastCode, at: time, TimeText.common)
    }

    /// Adds an event with its time in one of some spellings.
    private mutating func addUsual(_ message: Message, code: Int, at time: Int, _ spellings: [TimeText]) {
        let platform = log.platform(of: message)
        let user = user()
        var event = Payload(event: message, code: code, time: time, log.random.one(of: spellings))
        event.tell(platform, mixed: log.random.draw(4))
        body.add(event, user: user)
    }

    /// A push of this date, often one whose hits the collector has as well.
    private mutating func nextMessage() -> Message {
        message(of: nextEntry())
    }

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

    private mutating func user() -> Int {
        10_000 + log.random.draw(90_000)
    }

    private mutating func writeOddBody(at time: Int) throws {
        if !log.isBare, log.random.perMille(600) {
            let oddity = log.nextOddity(of: Oddity.request, step: 1)
            let key = nextMessage()
            let event = Payload(event: nextMessage(), code: 7, time: time)
            let user = user()
            body.begin(key: key)
            body.add(event, user: user)
            try writeBody(receipt: time, oddity)
            return
        }
        let oddity = log.nextOddity(of: Oddity.body, step: 7)
        let whole = oddity.changes.first?.value?.filled { _, _ in } ?? []
        if log.isBare {
            // Reading goes on at the next line that begins a body, so a broken one needs a line of its own.
            endArray()
            log.buffer += whole
            log.buffer.append("\n")
        } else {
            _ = writeRequest(whole, at: time, nil)
        }
        log.truth.count(oddity.verdict ?? .badJSON)
        try log.endRecord()
    }

    private mutating func writeRequest(_ body: Bytes, at time: Int, _ oddity: Oddity?) -> WebLine {
        log.writeRequest(
            "/users/track", "python-requests/2.32.3", body: body, from: "198.51.100.7", at: time, oddity)
    }

    /// Writes a body in one of the ways in which files hold them, and tells the truth about its elements.
    private mutating func writeBody(receipt: Int, _ oddity: Oddity? = nil) throws {
        var receiptTime: Int?
        if log.isBare {
            writeBare()
        } else {
            var text = Bytes()
            body.write(pretty: false, into: &text)
            let line = writeRequest(text, at: receipt, oddity)
            if let fault = line.fault {
                log.truth.count(fault)
                try log.endRecord()
                return
            }
            receiptTime = line.timeText == nil ? receipt : nil
        }
        for payload in body.payloads {
            if let payload { log.tell(payload, receipt: receiptTime) } else { log.truth.count(.notAnEvent) }
        }
        try log.endRecord(body.count)
    }

    private mutating func writeBare() {
        let way = isOdd ? log.random.draw(20) : 19
        if isInArray { log.buffer.append(",\n") }
        if way == 0, !isInArray {
            log.buffer.append("[")
            isInArray = true
        }
        body.write(pretty: way == 1 || way == 2, into: &log.buffer)
        isInLine = true
        if isInArray {
            if way > 14 { endArray() }
        } else if way == 3 {
            log.buffer.append(" ")
        } else if way != 4 {
            endArray()
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
