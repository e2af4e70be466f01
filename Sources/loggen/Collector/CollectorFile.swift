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
    private let shippedHits: ShippedHits
    private let isCombined: Bool
    private let requiresMcID: Bool
    private var hour = 0
    private var messages = 0
    private var shipped = 0
    private var open: [Slot]

    /// A message whose recipient may act again.
    private struct Slot {
        var message: Message
        var rest: UInt32 = 0
        var isSent = false
    }

    /// What two shippers carry: hits spread evenly over the date, the same in all of its files.
    private struct ShippedHits {
        var count = 0
        var start = 0
        var interval = 0

        init(plan: Plan, date: Day) {
            guard plan.filesPerKind > 1 else { return }
            count = plan.records(of: .collector) / plan.filesPerKind / 200
            start = (plan.zone.start(of: date) + 600) * 1000
            interval = ((plan.zone.start(of: date + 1) - 600) * 1000 - start) / (count + 1)
        }
    }

    var plan: Plan { universe.plan }

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        self.universe = universe
        self.file = file
        self.output = output
        source = universe.plan.kinds.firstIndex(of: .collector) ?? 0
        speller = LineSpeller(layout: universe.plan.layout, zone: universe.plan.zone)
        random = SplitMix64(seed: universe.plan.seed(of: file))
        oddity = Int(SplitMix64.mix(universe.plan.seed(of: file)) % 1000)
        clock = Clock(plan: universe.plan, file: file)
        shippedHits = ShippedHits(plan: universe.plan, date: file.date)
        isCombined = universe.plan.layout == .combined
        requiresMcID = universe.plan.requireMcID
        var slots = 16
        while slots < 8192, slots * 32 < file.records { slots *= 2 }
        let unsent = universe.message(file.date, .collector(file: file.index), 0)
        open = Array(repeating: Slot(message: unsent), count: slots)
    }

    consuming func write() throws -> FileTruth {
        let odd = plan.noise == .all ? 30 : 0
        let everyday = plan.noise == .none ? 0 : 60
        let late = plan.latePerMille
        output.buffer.append(text: plan.layout.header)
        while output.records < file.records {
            let time = clock.time(of: output.records, hour: &hour)
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

    /// A recipient acts: the next step of a message under way, a step sent again, or a message's first.
    private mutating func writeNext(at time: Int) throws {
        let slot = random.below(open.count)
        if open[slot].rest == 0 {
            if open[slot].isSent, random.perMille(70) {
                // Android resumes the activity, and the intent is still there.
                let message = open[slot].message
                try writeHit(message, code: message.lastCode, at: time)
                return
            }
            let message = universe.message(file.date, .collector(file: file.index), messages)
            messages += 1
            open[slot] = Slot(message: message, rest: message.chain, isSent: true)
        }
        let code = Int(open[slot].rest & 15)
        open[slot].rest >>= 4
        try writeHit(open[slot].message, code: code, at: time)
        if random.perMille(3), output.records < file.records {
            try writeHit(open[slot].message, code: code, at: time)
        }
    }

    /// A hit of an earlier date's message: the SDK's queue has no end. Often that date has it already.
    private mutating func writeLate(at time: Int) throws {
        let daysAgo = [1, 1, 1, 1, 1, 1, 2, 2, 3, 5][random.below(10)]
        let index = random.below(max(1, file.records * 55 / 100))
        let message = universe.message(file.date + -daysAgo, .collector(file: file.index), index)
        let code = random.perMille(600) ? message.lastCode : random.pick([7, 2, 1])
        try writeHit(message, code: code, at: time)
    }

    /// What two shippers carry stands in every file of the date, byte for byte.
    private mutating func writeShipped(before time: Int) throws -> Bool {
        let due = shippedHits.start + (shipped + 1) * shippedHits.interval
        guard shipped < shippedHits.count, due <= time else { return false }
        let message = universe.message(file.date, .shipped, shipped)
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
        let message = universe.message(file.date, .collector(file: file.index), random.below(max(1, messages)))
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
