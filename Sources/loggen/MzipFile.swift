import Reference

/// A file of arrival reports: form bodies `mzip=…`.
final class MzipFile: LogFile {
    /// Some of the reports before.
    private var recent: [Arrival] = []

    override func writeSome(at time: Int) throws {
        let odd = noise == .all ? 60 : 0
        switch random.below(1000) {
        case 0..<odd: try writeOdd(nextMessage(), at: time)
        case odd..<odd + 20: try writeEveryday(at: time)
        case odd + 20..<odd + 20 + late:
            // A phone that was without a connection reports an earlier date's arrival.
            let late = lateMessage(daysBefore: 1 + random.below(3))
            try write(Arrival(message: late.message, time: late.time))
        case 980... where !recent.isEmpty:
            // Delivered again by the push service, or sent again by the app: another key order, as ever.
            try write(random.pick(recent))
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
        let report = Arrival(message: message, time: earlier(time, by: 9000))
        if recent.count < 64 { recent.append(report) } else { recent[random.below(64)] = report }
        try write(report)
    }

    private func writeEveryday(at time: Int) throws {
        var report = Arrival(message: nextMessage(), time: time)
        switch random.below(4) {
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

/// An arrival report, as the app's extension sends it in a form.
struct Arrival {
    let message: Message
    var time: Int
    var type = "1"
    var tracking: String?

    /// `order` has random bits for the order of the keys, which differs from report to report, and for what has no
    /// meaning here.
    func form(order: UInt64) -> String {
        let data =
            [
                #""_mId":"h\#(message.id)""#, #""_dId":"\#(message.deliveryText)""#,
                #""title":"\#(Self.titles[Int(order >> 17 & 3)])""#,
                #""msg_id":"T-\#(message.notification.sixteenDigits)-0""#,
            ] + (tracking.map { [#""_acsDeliveryTracking":"\#($0)""#] } ?? [])
        let content = [#""time":\#(time)"#, #""type":\#(type)"#, #""data":\#(object(data, from: order >> 9))"#]
        let members = [
            #""security":"\#(SplitMix64.mix(order).sixteenDigits)+\/w==""#,
            #""log_content":\#(object(content, from: order >> 1))"#,
        ]
        let json = "{" + (order & 1 == 0 ? members : members.reversed()).joined(separator: ",") + "}"
        return "mzip=" + Bytes(json).reduce(into: Bytes()) { $0 += Self.spelled[Int($1)] }.text
    }

    /// An object whose members begin with any of them.
    private func object(_ members: [String], from bits: UInt64) -> String {
        let first = Int(bits & 7) % members.count
        return "{" + (members[first...] + members[..<first]).joined(separator: ",") + "}"
    }

    /// Each byte as a form has it.
    private static let spelled = (0...255).map { (byte: UInt8) -> Bytes in
        if byte == UInt8(ascii: " ") { return Bytes("+") }
        return isUnreserved(byte) ? [byte] : Bytes("%" + String(UInt16(byte) + 256, radix: 16).dropFirst().uppercased())
    }

    private static let titles = [
        "陌陌 a+b & c\\/d", "Rebajas de otoño: −20 %", "Tu pedido está en camino 📦", "Sólo hoy",
    ]
}
