/// Writes one file of arrival reports: form bodies `mzip=…`, or the requests that carried them.
struct MzipFile: ~Copyable {
    var log: BodyLog
    private let templates = ArrivalTemplates.shared
    private var json = ByteBuffer()
    private var body = ByteBuffer()
    private var recent: [Report] = []

    /// A report that is spelled as usual.
    private struct Report {
        var message: Message
        /// What the device's clock says, in milliseconds.
        var time: Int
    }

    init(universe: Universe, file: Plan.File, output: consuming Output) {
        log = BodyLog(
            universe: universe, file: file, pool: .mzip(file: file.index),
            request: .init(path: "/push/log/iosarrive", agent: "Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0"),
            output: output)
    }

    consuming func write() throws -> FileTruth {
        let odd = log.plan.noise == .all ? 60 : 0
        let everyday = log.plan.noise == .none ? 0 : 20
        let late = log.plan.latePerMille
        while !log.isFull {
            let time = log.nextTime()
            let roll = log.random.below(1000)
            if roll < odd {
                try writeOddity(at: time)
            } else if roll < odd + everyday {
                try writeEveryday(at: time)
            } else if roll < odd + everyday + late {
                try writeLate(at: time)
            } else if roll >= 980, !recent.isEmpty {
                // Delivered again by the push service, or sent again by the app: another key order, as ever.
                try write(log.random.pick(recent), receipt: time)
            } else {
                try writeArrival(at: time)
            }
        }
        for _ in 0..<log.plan.longLines {
            log.output.buffer.append("mzip=")
            log.output.buffer.append([UInt8](repeating: 0x41, count: 1 << 20))
            log.output.buffer.append("\n")
            log.output.truth.count(.lineTooLong)
            try log.output.endRecord()
        }
        return try log.output.finish()
    }

    /// A push of this date that arrived on an iPhone, by preference one that the collector knows as well.
    mutating func nextMessage() -> Message {
        if let host = log.collectorHost(perMille: 850) {
            for _ in 0..<8 {
                let index = log.index(ofHost: host, before: 8)
                let message = log.universe.message(log.file.date, .collector(file: host), index)
                if log.universe.agents.agents[message.agent].platform == .ios { return message }
            }
        }
        return log.universe.message(log.file.date, log.pool, log.ownIndex())
    }

    private mutating func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let report = Report(message: nextMessage(), time: log.earlier(time, by: 9000))
        log.output.truth.countRecipient(of: report.message, platform: .ios)
        if recent.count < 64 { recent.append(report) } else { recent[log.random.below(64)] = report }
        try write(report, receipt: time)
    }

    /// A phone that was without a connection reports an earlier date's arrival.
    private mutating func writeLate(at time: Int) throws {
        let date = log.file.date + -(1 + log.random.below(3))
        let (message, arrived) = log.lateMessage(of: date)
        try write(Report(message: message, time: arrived), receipt: time)
    }

    private mutating func writeEveryday(at time: Int) throws {
        var arrival = Arrival(message: nextMessage(), time: time)
        switch log.random.below(4) {
        case 0: (arrival.type, arrival.truth.verdict) = ("2", .unmappedAction)
        case 1: (arrival.tracking, arrival.truth.verdict) = ("\"off\"", .trackingOff)
        case 2: arrival.tracking = "\"on\""
        // An old device's 32-bit clock: 2038 in seconds.
        default: (arrival.time, arrival.truth.payload) = ("2147483647", 2_147_483_647_000)
        }
        try write(arrival, receipt: time)
    }

    /// Nearly all of a night's reports.
    private mutating func write(_ report: Report, receipt: Int) throws {
        body.removeAll()
        templates.write(report.message, time: report.time, order: log.random.next(), into: &body)
        let truth = RecordTruth(message: report.message, action: "arrival", platform: .ios, payload: report.time)
        try writeBody(truth, WebPart(), receipt: receipt)
    }

    /// Writes a report with its keys in any order, and tells the truth about it.
    mutating func write(_ arrival: Arrival, receipt: Int) throws {
        json.removeAll()
        arrival.write(order: log.random.next(), into: &json)
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
        try writeBody(arrival.truth, arrival.web, receipt: receipt)
    }

    /// Writes a body of any bytes; `arrival` says what it means.
    mutating func write(body text: String, of arrival: Arrival, receipt: Int) throws {
        body.removeAll()
        body.append(text: text)
        try writeBody(arrival.truth, arrival.web, receipt: receipt)
    }

    private mutating func writeBody(_ truth: RecordTruth, _ web: WebPart, receipt: Int) throws {
        if log.isBare {
            log.output.buffer.append(body)
            log.output.buffer.append(text: web.ending)
            log.tell(truth, receipt: nil)
        } else {
            log.writeLine(body.bytes, web, from: truth.message.addressText, receipt: receipt)
            var truth = truth
            truth.verdict = web.verdict ?? truth.verdict
            log.tell(truth, receipt: web.timeIsBad ? nil : receipt)
        }
        try log.output.endRecord()
    }
}
