import Reference

/// Writes one file of arrival reports: form bodies `mzip=…`, or the requests that carried them.
struct MzipFile: ~Copyable {
    private var log: LogFile
    /// Reports that are spelled as usual.
    private var recent: [Payload] = []

    init(_ log: consuming LogFile) {
        self.log = log
    }

    consuming func write() throws -> LogFile.Summary {
        let (odd, everyday, late) = log.shares(odd: 60, everyday: 20)
        while !log.isFull {
            let time = log.nextTime()
            switch log.random.draw(1000) {
            case 0..<odd:
                var report = Payload(arrival: nextMessage(), time: time)
                report.apply(log.nextOddity(of: Oddity.mzip))
                try write(report, receipt: time)
            case odd..<odd + everyday: try writeEveryday(at: time)
            case odd + everyday..<odd + everyday + late:
                // A phone that was without a connection reports an earlier date's arrival.
                let (message, arrived) = log.lateMessage(daysBefore: 1 + log.random.draw(3))
                try write(Payload(arrival: message, time: arrived), receipt: time)
            case 980... where !recent.isEmpty:
                // Delivered again by the push service, or sent again by the app: another key order, as ever.
                try write(log.random.one(of: recent), receipt: time)
            default: try writeArrival(at: time)
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
                if message.agent.platform == "ios" { return message }
            }
        }
        return log.universe.message(log.file.date, log.pool, log.ownIndex())
    }

    private mutating func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let message = nextMessage()
        let report = Payload(arrival: message, time: log.earlier(time, by: 9000))
        log.countRecipient(of: message, "ios")
        if recent.count < 64 { recent.append(report) } else { recent[log.random.draw(64)] = report }
        try write(report, receipt: time)
    }

    private mutating func writeEveryday(at time: Int) throws {
        var report = Payload(arrival: nextMessage(), time: time)
        switch log.random.draw(4) {
        case 0: report.action = "2"
        case 1: report.tracking = "\"off\""
        case 2: report.tracking = "\"on\""
        // An old device's 32-bit clock: 2038 in seconds.
        default: report.timeText = "2147483647"
        }
        try write(report, receipt: time)
    }

    /// Writes a report with its keys in any order.
    private mutating func write(_ report: Payload, receipt: Int) throws {
        let body = report.formBody(order: report.form.body == nil ? log.random.next() : 0)
        if log.plan.layout.hasBodies {
            log.writeRequest(
                "/push/log/iosarrive", "Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0", body: body,
                from: report.message.addressText, at: receipt, ending: report.form.ending)
        } else {
            log.buffer += body
            log.buffer.append(report.form.ending)
        }
        try log.endRecord()
    }
}
