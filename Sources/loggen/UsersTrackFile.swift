/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    let universe: Universe
    let file: Plan.File
    let source: Int
    let times: PayloadTimes
    var output: Output
    var speller: LineSpeller
    var random: SplitMix64
    var oddity: Int
    private let clock: Clock
    private var hour = 0
    private var messages = 0
    /// The user whose push is under way, and the steps still to come.
    private var message: Message
    private var rest: UInt32 = 0
    /// Whether bodies stand in an array that has not ended, and whether the last line has not.
    private var isInArray = false
    private var isInLine = false

    var plan: Plan { universe.plan }

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        self.universe = universe
        self.file = file
        self.output = output
        source = universe.plan.kinds.firstIndex(of: .usersTrack) ?? 0
        times = PayloadTimes(plan: universe.plan, date: file.date)
        speller = LineSpeller(layout: universe.plan.layout, zone: universe.plan.zone)
        random = SplitMix64(seed: universe.plan.seed(of: file))
        oddity = Int(SplitMix64.mix(universe.plan.seed(of: file)) % 1000)
        clock = Clock(plan: universe.plan, file: file)
        message = universe.message(file.date, .usersTrack(file: file.index), 0)
    }

    consuming func write() throws -> FileTruth {
        let odd = plan.noise == .all ? 25 : 0
        while output.records < file.records {
            let time = clock.time(of: output.records, hour: &hour)
            if random.below(1000) < odd {
                try writeOddBody(at: time)
                continue
            }
            let room = file.records - output.records
            var body = TrackBody(key: message)
            for _ in 0..<min(room, 1 + random.below(8)) { add(to: &body, at: time) }
            try write(body, receipt: time)
            // The sender has no answer and sends the body once more.
            if random.perMille(15), file.records - output.records >= body.elements.count {
                try write(body, receipt: time + 2000)
            }
        }
        for _ in 0..<plan.longLines {
            endArray()
            output.buffer.append("{\"events\":[],\"note\":\"")
            output.buffer.append([UInt8](repeating: 0x41, count: 8 << 20))
            output.buffer.append("\"}\n")
            output.truth.count(.lineTooLong)
            try output.endRecord()
        }
        endArray()
        return try output.finish()
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private mutating func add(to body: inout TrackBody, at time: Int) {
        let roll = random.below(1000)
        switch roll {
        case 0..<50 where plan.noise != .none: body.add(purchase(at: time), to: .purchases, .notAnEvent)
        case 50..<120 where plan.noise != .none: body.add(attributes(), to: .attributes, .notAnEvent)
        case 120..<190 where plan.noise != .none:
            var event = TrackEvent(message: nextMessage(), code: 7, time: time, user: user())
            event.name = random.pick(["\"session_start\"", "\"product_viewed\"", "\"push_notification_opened\""])
            event.verdict = .unmappedAction
            body.add(event)
        case 190..<200 where plan.noise != .none:
            var event = TrackEvent(message: nextMessage(), code: 7, time: time, user: user())
            event.tracking = "\"off\""
            event.verdict = .trackingOff
            body.add(event)
        case 200..<280 where plan.noise == .all: body.add(oddEvent(at: time))
        case 280..<(280 + plan.latePerMille): body.add(lateEvent())
        default: body.add(nextEvent(at: time))
        }
    }

    private mutating func nextEvent(at time: Int) -> TrackEvent {
        if rest == 0 {
            message = nextMessage()
            rest = message.chain & 0xFFF
        }
        let code = Int(rest & 15)
        rest >>= 4
        // The sender gathers events for a while before it sends them.
        let sent = time - random.below(120_000)
        let spellings = plan.noise == .all && random.perMille(200) ? TimeText.allCases : TimeText.common
        var event = TrackEvent(
            message: message, code: code, time: sent, user: user(), spelling: random.pick(spellings))
        event.setPlatform(universe.agents.agents[message.agent].platform, mixed: random.below(4))
        return event
    }

    private mutating func lateEvent() -> TrackEvent {
        let date = file.date + -(1 + random.below(4))
        let message = universe.message(date, .usersTrack(file: file.index), random.below(max(1, file.records / 2)))
        let start = plan.zone.start(of: date) * 1000
        let time = start + random.below(86_400_000)
        var event = TrackEvent(
            message: message, code: message.lastCode, time: time, user: user(), spelling: random.pick(TimeText.common))
        event.setPlatform(universe.agents.agents[message.agent].platform, mixed: random.below(4))
        return event
    }

    /// A push of this date, often one whose hits the collector has as well.
    mutating func nextMessage() -> Message {
        if plan.kinds.contains(.collector), random.perMille(400) {
            let pushes = max(1, plan.records(of: .collector) / plan.filesPerKind * 55 / 100)
            let host = random.below(plan.filesPerKind)
            return universe.message(file.date, .collector(file: host), random.below(pushes))
        }
        messages += 1
        return universe.message(file.date, .usersTrack(file: file.index), messages)
    }

    mutating func user() -> Int {
        10_000 + random.below(90_000)
    }

    private mutating func purchase(at time: Int) -> String {
        let product = random.pick(["SKU-1041", "SKU-2210", "SKU-0007"])
        let (time, _) = TimeText.zulu.spell(time)
        return """
            {"external_id":"user-\(user())","product_id":"\(product)","currency":"EUR","price":19.99,\
            "quantity":1,"time":\(time)}
            """
    }

    private mutating func attributes() -> String {
        let number = user()
        return random.pick([
            "{\"external_id\":\"user-\(number)\",\"email\":\"user\(number)@example.com\",\"home_city\":\"Málaga\"}",
            "{\"external_id\":\"user-\(number)\",\"visits\":{\"inc\":1},\"tags\":{\"add\":[\"otoño\"]},\"phone\":null}",
        ])
    }

    /// Writes a body in one of the ways in which files hold them, and tells the truth about its elements.
    mutating func write(_ body: TrackBody, receipt: Int, web: WebPart = WebPart()) throws {
        var receiptTime: Int?
        if plan.layout == .combined {
            writeBare(body)
        } else {
            writeLine(body.text(pretty: false), receipt: receipt, web: web)
            receiptTime = web.timeIsBad ? nil : receipt
            if let verdict = web.verdict {
                output.truth.count(verdict)
                try output.endRecord()
                return
            }
        }
        for element in body.elements { tell(element, receipt: receiptTime) }
        try output.endRecord(body.elements.count)
    }

    private mutating func tell(_ element: TrackBody.Element, receipt: Int?) {
        guard let event = element.event, element.verdict == nil else {
            output.truth.count(element.verdict ?? .accepted)
            return
        }
        guard let (time, clockFallback) = times.settle(payload: event.payload, receipt: receipt) else {
            output.truth.count(.badTime)
            return
        }
        output.truth.accept(
            clockFallback: clockFallback,
            Hit(
                message: event.key, action: Message.action(event.code), time: time, source: source,
                delivery: event.delivery, platform: event.platformTruth, date: file.date))
    }

    /// One record that is a whole body: broken, or of another kind.
    mutating func writeWhole(_ text: String, _ verdict: Meaning, receipt: Int, web: WebPart = WebPart()) throws {
        if plan.layout == .combined {
            // Reading goes on at the next line that begins a body, so a broken one needs a line of its own.
            endArray()
            output.buffer.append(text: text)
            output.buffer.append("\n")
        } else {
            writeLine(text, receipt: receipt, web: web)
        }
        output.truth.count(web.verdict ?? verdict)
        try output.endRecord()
    }

    private mutating func writeLine(_ body: String, receipt: Int, web: WebPart) {
        var line = WebLine(
            address: "198.51.100.7", time: receipt,
            request: Array("\(web.method) \(web.path ?? "/users/track") HTTP/1.1".utf8),
            agent: Array("python-requests/2.32.3".utf8))
        line.status = web.status
        line.body = web.hasBody ? Array(body.utf8) : nil
        line.shape = web.shape
        line.ending = web.ending
        line.timeSpelling = web.timeSpelling
        speller.write(line, into: &output.buffer)
    }

    private mutating func writeBare(_ body: TrackBody) {
        let way = plan.noise == .all ? random.below(20) : 19
        if isInArray { output.buffer.append(",\n") }
        switch way {
        case 0 where !isInArray:
            output.buffer.append("[")
            isInArray = true
            output.buffer.append(text: body.text(pretty: false))
        case 1, 2: output.buffer.append(text: body.text(pretty: true))
        default: output.buffer.append(text: body.text(pretty: false))
        }
        isInLine = true
        if isInArray {
            if way > 14 { endArray() }
        } else if way == 3 {
            output.buffer.append(" ")
        } else if way != 4 {
            endArray()
        }
    }

    /// Ends the array, or the line that bodies were run together on.
    private mutating func endArray() {
        if isInArray { output.buffer.append("]") }
        isInArray = false
        if isInLine { output.buffer.append("\n") }
        isInLine = false
    }
}
