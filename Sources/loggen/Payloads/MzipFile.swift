import Reference

/// Writes one file of arrival reports: form bodies `mzip=…`, or the requests that carried them.
struct MzipFile: ~Copyable {
    private var log: LogFile
    private var json = Bytes()
    private var body = Bytes()
    /// Reports that are spelled as usual.
    private var recent: [Payload] = []

    init(_ log: consuming LogFile) {
        self.log = log
    }

    consuming func write() throws -> FileTruth {
        let (odd, everyday, late) = log.shares(odd: 60, everyday: 20)
        while !log.isFull {
            let time = log.nextTime()
            switch log.random.draw(1000) {
            case 0..<odd: try writeOddity(at: time)
            case odd..<odd + everyday: try writeEveryday(at: time)
            case odd + everyday..<odd + everyday + late: try writeLate(at: time)
            case 980... where !recent.isEmpty:
                // Delivered again by the push service, or sent again by the app: another key order, as ever.
                try write(log.random.one(of: recent), receipt: time)
            default: try writeArrival(at: time)
            }
        }
        for _ in 0..<log.plan.longLines {
            // In a JSON layout a record is an object, of 8 MiB at most.
            if log.plan.layout == .json {
                try log.writeLongRecord("{\"request\":\"", 0x41, count: 8 << 20, "\"}\n")
            } else {
                try log.writeLongRecord("mzip=", 0x41, count: 1 << 20, "\n")
            }
        }
        return try log.finish()
    }

    /// A push of this date that arrived on an iPhone, by preference one that the collector knows as well.
    private mutating func nextMessage() -> Message {
        if let host = log.collectorHost(perMille: 850) {
            for _ in 0..<8 {
                let index = log.index(ofHost: host, before: 8)
                let message = log.universe.message(log.file.date, .file(.collector, host), index)
                if log.platform(of: message) == .ios { return message }
            }
        }
        return log.universe.message(log.file.date, log.pool, log.ownIndex())
    }

    private mutating func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let report = Payload(arrival: nextMessage(), time: log.earlier(time, by: 9000))
        log.countRecipient(of: report.message, .ios)
        if recent.count < 64 { recent.append(report) } else { recent[log.random.draw(64)] = report }
        try write(report, receipt: time)
    }

    /// A phone that was without a connection reports an earlier date's arrival.
    private mutating func writeLate(at time: Int) throws {
        let date = log.file.date.adding(days: -(1 + log.random.draw(3)))
        let (message, arrived) = log.lateMessage(of: date)
        try write(Payload(arrival: message, time: arrived), receipt: time)
    }

    private mutating func writeEveryday(at time: Int) throws {
        var arrival = Payload(arrival: nextMessage(), time: time)
        switch log.random.draw(4) {
        case 0: (arrival.actionText, arrival.verdict) = ("2", .unmappedAction)
        case 1: (arrival.trackingText, arrival.verdict) = ("\"off\"", .trackingOff)
        case 2: arrival.trackingText = "\"on\""
        // An old device's 32-bit clock: 2038 in seconds.
        default: (arrival.timeText, arrival.time) = ("2147483647", 2_147_483_647_000)
        }
        try write(arrival, receipt: time)
    }

    private mutating func writeOddity(at time: Int) throws {
        var arrival = Payload(arrival: nextMessage(), time: time)
        if !log.isBare, log.random.perMille(400) {
            try write(arrival, receipt: time, log.nextOddity(of: Oddity.request, step: 1))
        } else {
            arrival.apply(log.nextOddity(of: Oddity.mzip))
            try write(arrival, receipt: time)
        }
    }

    /// Writes a report with its keys in any order, and tells the truth about it.
    private mutating func write(_ arrival: Payload, receipt: Int, _ oddity: Oddity? = nil) throws {
        var arrival = arrival
        let form = arrival.form
        body.removeAll(keepingCapacity: true)
        if let text = form.body {
            body.append(text)
        } else {
            json.removeAll(keepingCapacity: true)
            arrival.writeArrival(order: log.random.next(), into: &json)
            body.append(form.before)
            form.escaping.append(json, to: &body)
            body.append(form.after)
        }
        if log.isBare {
            log.buffer += body
            log.buffer.append(form.ending)
            log.tell(arrival, receipt: nil)
        } else {
            let line = log.writeRequest(
                "/push/log/iosarrive", "Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0", body: body,
                from: arrival.message.addressText, at: receipt, ending: form.ending, oddity)
            arrival.verdict = line.fault ?? arrival.verdict
            log.tell(arrival, receipt: line.timeText == nil ? receipt : nil)
        }
        try log.endRecord()
    }
}
