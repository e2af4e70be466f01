/// Writes one file of arrival reports: form bodies `mzip=…`, or the requests that carried them.
struct MzipFile: ~Copyable {
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
    private var json = ByteBuffer()
    private var body = ByteBuffer()
    private var recent: [Arrival] = []

    var plan: Plan { universe.plan }

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        self.universe = universe
        self.file = file
        self.output = output
        source = universe.plan.kinds.firstIndex(of: .mzip) ?? 0
        times = PayloadTimes(plan: universe.plan, date: file.date)
        speller = LineSpeller(layout: universe.plan.layout, zone: universe.plan.zone)
        random = SplitMix64(seed: universe.plan.seed(of: file))
        oddity = Int(SplitMix64.mix(universe.plan.seed(of: file)) % 1000)
        clock = Clock(plan: universe.plan, file: file)
    }

    consuming func write() throws -> FileTruth {
        let odd = plan.noise == .all ? 60 : 0
        let everyday = plan.noise == .none ? 0 : 20
        while output.records < file.records {
            let time = clock.time(of: output.records, hour: &hour)
            let roll = random.below(1000)
            if roll < odd {
                try writeOddity(at: time)
            } else if roll < odd + everyday {
                try writeEveryday(at: time)
            } else if roll < odd + everyday + plan.latePerMille {
                try writeLate(at: time)
            } else if roll >= 980, !recent.isEmpty {
                // Delivered again by the push service, or sent again by the app: another key order, as ever.
                try write(random.pick(recent), receipt: time)
            } else {
                try writeArrival(at: time)
            }
        }
        for _ in 0..<plan.longLines {
            output.buffer.append("mzip=")
            output.buffer.append([UInt8](repeating: 0x41, count: 1 << 20))
            output.buffer.append("\n")
            output.truth.count(.lineTooLong)
            try output.endRecord()
        }
        return try output.finish()
    }

    /// The next push of this date that arrived on an iPhone, by preference one that the collector knows as well.
    mutating func nextMessage() -> Message {
        if plan.kinds.contains(.collector), random.perMille(600) {
            let pushes = max(1, plan.records(of: .collector) / plan.filesPerKind * 55 / 100)
            let host = random.below(plan.filesPerKind)
            for _ in 0..<8 {
                let message = universe.message(file.date, .collector(file: host), random.below(pushes))
                if universe.agents.agents[message.agent].platform == .ios { return message }
            }
        }
        messages += 1
        return universe.message(file.date, .mzip(file: file.index), messages)
    }

    private mutating func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let arrival = Arrival(message: nextMessage(), time: time - random.below(9000))
        if recent.count < 64 { recent.append(arrival) } else { recent[random.below(64)] = arrival }
        try write(arrival, receipt: time)
    }

    /// A phone that was without a connection reports an earlier date's arrival.
    private mutating func writeLate(at time: Int) throws {
        let date = file.date + -(1 + random.below(3))
        let message = universe.message(date, .mzip(file: file.index), 1 + random.below(max(1, file.records / 2)))
        let start = plan.zone.start(of: date) * 1000
        try write(Arrival(message: message, time: start + random.below(86_400_000)), receipt: time)
    }

    private mutating func writeEveryday(at time: Int) throws {
        var arrival = Arrival(message: nextMessage(), time: time)
        switch random.below(4) {
        case 0:
            arrival.type = "2"
            arrival.verdict = .unmappedAction
        case 1:
            arrival.tracking = "\"off\""
            arrival.verdict = .trackingOff
        case 2: arrival.tracking = "\"on\""
        default:
            // An old device's 32-bit clock: 2038 in seconds.
            arrival.time = "2147483647"
            arrival.payload = 2_147_483_647_000
        }
        try write(arrival, receipt: time)
    }

    /// Writes a report with its keys in any order, and tells the truth about it.
    mutating func write(_ arrival: Arrival, receipt: Int) throws {
        json.removeAll()
        arrival.write(order: random.next(), into: &json)
        body.removeAll()
        body.append(text: arrival.before)
        if arrival.isAllEscaped {
            // Every byte escaped, in lower case, as other encoders do.
            for byte in json.bytes {
                body.append("%")
                body.append(hex: UInt64(byte), digits: 2)
            }
        } else {
            body.appendFormEncoded(json.bytes)
        }
        body.append(text: arrival.after)
        try writeBody(arrival, receipt: receipt)
    }

    /// Writes a body of any bytes; `arrival` says what it means.
    mutating func write(body text: String, of arrival: Arrival, receipt: Int) throws {
        body.removeAll()
        body.append(text: text)
        try writeBody(arrival, receipt: receipt)
    }

    private mutating func writeBody(_ arrival: Arrival, receipt: Int) throws {
        var verdict = arrival.verdict
        var receiptTime: Int?
        if plan.layout == .combined {
            output.buffer.append(body)
            output.buffer.append(text: arrival.web.ending)
        } else {
            var line = WebLine(
                address: arrival.message.addressText, time: receipt,
                request: Array("\(arrival.web.method) \(arrival.web.path ?? "/push/log/iosarrive") HTTP/1.1".utf8),
                agent: Array("Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0".utf8))
            line.status = arrival.web.status
            line.body = arrival.web.hasBody ? Array(body.bytes) : nil
            line.shape = arrival.web.shape
            line.ending = arrival.web.ending
            line.timeSpelling = arrival.web.timeSpelling
            speller.write(line, into: &output.buffer)
            verdict = arrival.web.verdict ?? verdict
            receiptTime = arrival.web.timeIsBad ? nil : receipt
        }
        if let verdict {
            output.truth.count(verdict)
        } else if let (time, clockFallback) = times.settle(payload: arrival.payload, receipt: receiptTime) {
            output.truth.accept(
                clockFallback: clockFallback,
                Hit(
                    message: arrival.key, action: "arrival", time: time, source: source, delivery: arrival.delivery,
                    platform: .ios, date: file.date))
        } else {
            output.truth.count(.badTime)
        }
        try output.endRecord()
    }
}
