/// Writes one host's access log of one date.
struct CollectorFile: ~Copyable {
    let universe: Universe
    let file: Plan.File
    let source: Int
    var output: Output
    var speller: LineSpeller
    var random: SplitMix64
    var oddity: Int
    private let clock: Clock
    private let shippedClock: Clock
    private let shippedHits: Int
    private let isCombined: Bool
    private let requiresMcID: Bool
    private var bucket = 0
    private var shippedBucket = 0
    private var shipped = 0
    private var agenda: Agenda
    /// Messages whose recipients have done all that they do.
    private var settled: [Int32] = []

    var plan: Plan { universe.plan }

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        self.universe = universe
        self.file = file
        self.output = output
        source = universe.plan.kinds.firstIndex(of: .collector) ?? 0
        speller = LineSpeller(layout: universe.plan.layout, zone: universe.plan.zone)
        random = SplitMix64(seed: universe.plan.seed(of: file))
        oddity = Int(SplitMix64.mix(universe.plan.seed(of: file)) % 1000)
        let shape = universe.shape(of: file.date)
        clock = Clock(plan: universe.plan, file: file, shape: shape)
        agenda = Agenda(start: clock.start, end: clock.end)
        // All files have turned by then.
        shippedHits = universe.plan.shippedHits(on: Weekday(file.date))
        shippedClock = Clock(
            start: (universe.plan.zone.start(of: file.date) + 600) * 1000,
            end: universe.plan.zone.start(of: file.date + 1) * 1000, records: shippedHits, shape: shape)
        isCombined = universe.plan.layout == .combined
        requiresMcID = universe.plan.requireMcID
    }

    consuming func write() throws -> FileTruth {
        let odd = plan.noise == .all ? 30 : 0
        let everyday = plan.noise == .none ? 0 : 60
        let late = plan.latePerMille
        output.buffer.append(text: plan.layout.header)
        while output.records < file.records {
            let time = clock.time(of: output.records, bucket: &bucket)
            if try writeShipped(before: time) { continue }
            let roll = random.below(1000)
            if roll < odd {
                try writeOddity(at: time)
            } else if roll < odd + everyday {
                try writeEveryday(at: time)
            } else if roll < odd + everyday + late {
                try writeLate(at: time)
            } else {
                try writeNext(at: time)
            }
        }
        for _ in 0..<plan.longLines { try writeLongLine(at: clock.end) }
        return try output.finish()
    }

    /// A recipient acts: what is due of a message under way, a step sent again, or a message's first.
    private mutating func writeNext(at time: Int) throws {
        if let (entry, due) = agenda.next(by: time) {
            try writeStep(of: message(at: entry.index), entry.index, rest: entry.rest, at: due)
            return
        }
        if !settled.isEmpty, random.perMille(45) {
            // Android resumes the activity, and the intent is still there.
            let message = message(at: random.pick(settled))
            try writeHit(message, code: message.lastCode, at: time)
            return
        }
        let index = Int32(output.records)
        let message = message(at: index)
        output.truth.countRecipient(of: message, platform: universe.agents.agents[message.agent].platform)
        try writeStep(of: message, index, rest: message.chain, at: time)
    }

    /// The message that the record at `index` is the first to speak of.
    func message(at index: Int32) -> Message {
        universe.message(file.date, .collector(file: file.index), Int(index))
    }

    /// The next code of a message; the ones after it are for later.
    private mutating func writeStep(of message: Message, _ index: Int32, rest: UInt32, at time: Int) throws {
        let code = Int(rest & 15)
        if rest > 15 {
            let due =
                rest == message.chain && code == 7
                ? Sleep.delayed(time - clock.start + message.delay * 1000, bits: UInt64(message.address)) + clock.start
                : time + random.below(3) * 1000
            agenda.add(Agenda.Entry(index: index, rest: rest >> 4), at: due)
        } else if settled.count < 4096 {
            settled.append(index)
        } else {
            settled[random.below(settled.count)] = index
        }
        try writeHit(message, code: code, at: time)
        if random.perMille(3), output.records < file.records {
            try writeHit(message, code: code, at: time)
        }
    }

    /// A hit of an earlier date's message: of someone who takes days to open it, or from the SDK's queue, which has no
    /// end. Often that date has it already.
    private mutating func writeLate(at time: Int) throws {
        let date = file.date + -[1, 1, 1, 1, 1, 1, 2, 2, 3, 5][random.below(10)]
        let pool = Universe.Pool.collector(file: file.index)
        var message = universe.message(date, pool, random.below(universe.records(of: pool, on: date)))
        for _ in 0..<3 where message.chain <= 15 || message.delay < 6 * 3600 {
            message = universe.message(date, pool, random.below(universe.records(of: pool, on: date)))
        }
        let code = random.perMille(800) ? message.lastCode : random.pick([7, 2, 1])
        try writeHit(message, code: code, at: time)
    }

    /// What two shippers carry stands in every file of the date, byte for byte.
    private mutating func writeShipped(before time: Int) throws -> Bool {
        guard shipped < shippedHits else { return false }
        let due = shippedClock.time(of: shipped, bucket: &shippedBucket)
        guard due <= time else { return false }
        let message = universe.message(file.date, .shipped, shipped)
        output.truth.countRecipient(of: message, platform: universe.agents.agents[message.agent].platform)
        shipped += 1
        try writeHit(message, code: Int(message.chain & 15), at: due)
        return true
    }

    /// The ordinary hit, and nearly all of a night's lines.
    mutating func writeHit(_ message: Message, code: Int, at time: Int, status: Int = 200) throws {
        guard isCombined else {
            let agent = universe.agents.agents[message.agent]
            var draft = Draft(message: message, code: code, time: time, agent: agent)
            draft.hit()
            draft.line.status = String(status)
            try write(draft)
            return
        }
        output.buffer.append(addressOf: message)
        output.buffer.append(" - - [")
        speller.writeTime(time, into: &output.buffer)
        output.buffer.append("] \"GET /r/?id=h")
        output.buffer.append(message.id)
        output.buffer.append(0x2C)
        output.buffer.append(hex: message.delivery)
        output.buffer.append(0x2C)
        output.buffer.append(UInt8(0x30 + code))
        if message.mcID != 0 {
            let (high, low) = message.mcIDHalves
            output.buffer.append("&mcId=")
            output.buffer.append(high, digits: 19)
            output.buffer.append(low, digits: 19)
        }
        if status == 200 {
            output.buffer.append(" HTTP/1.1\" 200 0 \"-\" \"")
        } else {
            output.buffer.append(text: " HTTP/1.1\" \(status) 0 \"-\" \"")
        }
        universe.agents.append(message.agent, to: &output.buffer)
        output.buffer.append("\"\n")

        if requiresMcID, message.mcID == 0 {
            output.truth.count(.notPush)
        } else if status == 200 {
            output.truth.accept(
                Hit(
                    message: message.key, action: Message.action(code), time: floorDivide(time, 1000) * 1000,
                    source: source, delivery: message.deliveryText,
                    platform: universe.agents.agents[message.agent].platform, date: file.date))
        } else {
            output.truth.count(status == 404 ? .trackingDisabled : .httpError)
        }
        try output.endRecord()
    }

    /// Requests that any tracking host has besides its hits, and hits that fail.
    private mutating func writeEveryday(at time: Int) throws {
        let message = message(at: Int32(random.below(max(1, output.records))))
        let agent = universe.agents.agents[message.agent]
        var draft = Draft(message: message, code: Int(message.chain & 15), time: time, agent: agent)
        switch random.below(12) {
        case 0, 1:
            draft.ask("GET", "/r/test", .notTracking)
            draft.line.agent = Array("HealthCheck/2.0".utf8)
            draft.line.size = "142"
        case 2:
            draft.ask("POST", "/rest/head/mobileAppV5/aBcDeFgHiJk/subscriptions/\(message.address)", .notTracking)
        case 3:
            draft.ask("POST", "/nms/mobile/1/registerAndroid.jssp", .notTracking)
        case 4:
            draft.ask("GET", "/r/\(1000 + random.below(9000))?tagid=home", .notTracking)
            draft.line.referer = "https://www.example.com/"
        case 5:
            draft.ask("GET", random.pick(["/", "/favicon.ico", "/robots.txt", "/img/logo.png"]), .notTracking)
        case 6, 7, 8:
            let letter = random.pick(["s", "d"])
            let link = String(message.delivery + 1 + UInt64(random.below(9)), radix: 16)
            draft.ask("GET", "/r/?id=\(letter)\(message.idText),\(message.deliveryText),\(link)", .link)
            draft.line.status = "302"
        case 9, 10:
            try writeHit(message, code: Int(message.chain & 15), at: time, status: 404)
            return
        default:
            // The client gives up or the gateway does, and the SDK tries again.
            try writeHit(message, code: message.lastCode, at: time, status: random.pick([499, 504, 503]))
            if output.records < file.records {
                try writeHit(message, code: message.lastCode, at: time + 30_000)
            }
            return
        }
        try write(draft)
    }

    /// Writes a draft and tells the truth about it.
    mutating func write(_ draft: Draft) throws {
        speller.write(draft.line, into: &output.buffer)
        let meaning = draft.meaning(requiresMcID: requiresMcID)
        if meaning == .accepted {
            output.truth.accept(
                Hit(
                    message: draft.key, action: Message.action(draft.code),
                    time: floorDivide(draft.line.time, 1000) * 1000, source: source, delivery: draft.delivery,
                    platform: draft.platform, date: file.date))
        } else {
            output.truth.count(meaning)
        }
        try output.endRecord()
    }

    /// A line of more than 1 MiB, on request only.
    private mutating func writeLongLine(at time: Int) throws {
        output.buffer.append("192.0.2.1 - - [19/Nov/2026:10:22:33 +0100] \"GET /r/?id=h1,")
        output.buffer.append([UInt8](repeating: 0x61, count: 1 << 20))
        output.buffer.append(",7 HTTP/1.1\" 200 0 \"-\" \"-\"\n")
        output.truth.count(.lineTooLong)
        try output.endRecord()
    }
}

extension Message {
    /// The last step of its chain.
    var lastCode: Int {
        var rest = chain
        while rest > 15 { rest >>= 4 }
        return Int(rest)
    }
}

extension Plan {
    /// Each file draws from a stream of its own, so that it does not matter who writes it when.
    func seed(of file: File) -> UInt64 {
        let kind = UInt64(file.kind == .collector ? 1 : file.kind == .mzip ? 2 : 3)
        let place = kind << 60 ^ UInt64(bitPattern: Int64(file.date.number)) << 20 ^ UInt64(file.index)
        return SplitMix64.mix(SplitMix64.mix(seed &+ 0x1234_5678) ^ place)
    }
}
