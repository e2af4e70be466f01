import Reference

/// Writes one file of arrival reports: form bodies `mzip=…`, or the requests that carried them.
struct MzipFile: ~Copyable {
    private var log: LogFile
    /// Some of the reports before.
    private var recent: [Arrival] = []

    init(_ log: consuming LogFile) {
        self.log = log
    }

    consuming func write() throws -> LogFile.Summary {
        let odd = log.noise == .all ? 60 : 0
        let everyday = log.noise == .none ? 0 : 20
        while log.rest > 0 {
            let time = log.nextTime()
            switch log.random.draw(1000) {
            case 0..<odd: try log.writeOdd(nextMessage(), at: time)
            case odd..<odd + everyday: try writeEveryday(at: time)
            case odd + everyday..<odd + everyday + log.late:
                // A phone that was without a connection reports an earlier date's arrival.
                let (message, arrived) = log.lateMessage(daysBefore: 1 + log.random.draw(3))
                try write(Arrival(of: message, at: arrived), receipt: time)
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
                let message = log.message(at: log.index(ofHost: host, before: 8), ofHost: host)
                if message.agent.platform == "ios" { return message }
            }
        }
        return log.message(at: log.ownIndex())
    }

    private mutating func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let message = nextMessage()
        let report = Arrival(of: message, at: log.earlier(time, by: 9000))
        log.countRecipient(of: message, "ios")
        if recent.count < 64 { recent.append(report) } else { recent[log.random.draw(64)] = report }
        try write(report, receipt: time)
    }

    private mutating func writeEveryday(at time: Int) throws {
        var report = Arrival(of: nextMessage(), at: time)
        switch log.random.draw(4) {
        case 0: report.type = "2"
        case 1: report.tracking = "off"
        case 2: report.tracking = "on"
        // An old device's 32-bit clock: 2038 in seconds.
        default: report.time = "2147483647"
        }
        try write(report, receipt: time)
    }

    /// Writes a report with its keys in any order.
    private mutating func write(_ report: Arrival, receipt: Int) throws {
        let request = WebLine(
            address: report.message.addressText, time: receipt, target: "/push/log/iosarrive",
            agent: "Momo/9.15.2 CFNetwork/1410.0.3 Darwin/22.6.0")
        try log.write(request, body: report.form(order: log.random.next()))
    }
}
