import Reference

/// An arrival report, as the app's extension sends it in a form.
struct Arrival {
    let message: Message
    var time: Int
    var type = "1"
    var tracking: String?

    init(of message: Message, at time: Int) {
        self.message = message
        self.time = time
    }

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
