import Reference

/// A file of arrival reports: form bodies `mzip=…`.
final class MzipFile: LogFile {
    /// Some of the reports before.
    private var recent: [Arrival] = []

    override func writeSome(at time: Int) throws {
        let odd = noise == .all ? 60 : 0
        let everyday = noise == .none ? odd : odd + 20
        switch random.draw(1000) {
        case 0..<odd: try writeOdd(nextMessage(), at: time)
        case odd..<everyday: try writeEveryday(at: time)
        case everyday..<everyday + late:
            // A phone that was without a connection reports an earlier date's arrival.
            let (message, arrived) = lateMessage(daysBefore: 1 + random.draw(3))
            try write(Arrival(of: message, at: arrived))
        case 980... where !recent.isEmpty:
            // Delivered again by the push service, or sent again by the app: another key order, as ever.
            try write(random.one(of: recent))
        default: try writeArrival(at: time)
        }
    }

    /// A push of this date that arrived on an iPhone, by preference one that the collector knows as well.
    private func nextMessage() -> Message {
        if let host = collectorHost(perMille: 850) {
            for _ in 0..<8 {
                let message = message(at: index(ofHost: host, before: 8), ofHost: host)
                if message.agent.platform == "ios" { return message }
            }
        }
        return message(at: ownIndex())
    }

    private func writeArrival(at time: Int) throws {
        // The extension reports within seconds; the device's clock is seconds off.
        let message = nextMessage()
        let report = Arrival(of: message, at: earlier(time, by: 9000))
        countRecipient(of: message, "ios")
        if recent.count < 64 { recent.append(report) } else { recent[random.draw(64)] = report }
        try write(report)
    }

    private func writeEveryday(at time: Int) throws {
        var report = Arrival(of: nextMessage(), at: time)
        switch random.draw(4) {
        case 0: report.type = "2"
        case 1: report.tracking = "off"
        case 2: report.tracking = "on"
        // An old device's 32-bit clock: 2038 in seconds.
        default: report.time = 2_147_483_647
        }
        try write(report)
    }

    /// Writes a report with its keys in any order.
    private func write(_ report: Arrival) throws {
        try write(body: report.form(order: random.next()))
    }
}
