import Calendar
import Reference

/// One push to one recipient.
struct Message: Sendable {
    enum ID: Sendable {
        case hex(UInt64)
        case uuid(UInt64, UInt64)
    }

    var id: ID
    var date: LogDate
    var delivery: UInt64
    /// Which of its date's deliveries that is.
    var rank: Int
    var agent: UserAgents.Agent
    /// Where the 38 digits come from; 0 for none.
    var mcID: UInt64
    var address: UInt32
    /// The codes it is going to send, four bits each, the first in the lowest.
    var chain: UInt32
    /// Seconds from the first of them to the second; those after it follow at once.
    var delay: Int

    /// What recipients do, up to which percent of them: see it; see, click and open it; dismiss it, which sends a click
    /// alone; and so on.
    private static let chains: [(percent: Int, chain: UInt32)] = [
        (48, 0x7), (74, 0x127), (78, 0x217), (88, 0x27), (93, 0x12), (95, 0x17), (97, 0x1277), (98, 0x37), (99, 0x47),
        (100, 0x57),
    ]

    static func chain(for percent: Int) -> UInt32 {
        chains.first { percent < $0.percent }?.chain ?? 0x7
    }

    /// Whether its recipient sees it and opens it.
    static func opens(_ chain: UInt32) -> Bool {
        chain > 0 && (chain & 15 == 1 || opens(chain >> 4))
    }

    static func action(_ code: Int) -> String {
        ["", "open", "click", "button_1", "button_2", "button_close", "", "impression"][code & 7]
    }

    var firstCode: Int { Int(chain & 15) }

    var lastCode: Int {
        var rest = chain
        while rest > 15 { rest >>= 4 }
        return Int(rest)
    }

    /// The id as a number; nil for a UUID.
    var number: UInt64? {
        if case .hex(let value) = id { value } else { nil }
    }

    /// The id as it is most often spelled: lower case, without a type letter.
    var idText: String {
        var text = Bytes()
        text.append(id)
        return text.text
    }

    var deliveryText: String { String(delivery, radix: 16) }

    /// The push service's own id of it.
    var notification: UInt64 { SplitMix64.mix(mcID ^ UInt64(address)) }

    /// An address of the ranges that are set aside for documentation.
    var addressText: String {
        let ranges = ["192.0.2.", "198.51.100.", "203.0.113.", "203.0.113."]
        return ranges[Int(address & 3)] + String(Int(address >> 2) % 254 + 1)
    }

    /// A hit as the app's SDK sends it.
    private static let usualRequest = Template("GET /r/?id=h$id,$delivery,$code$mcid HTTP/1.1")

    func hit(code: Int, at time: Int) -> WebLine {
        WebLine(address: addressText, time: time, request: fill(Self.usualRequest, code: code), agent: agent.text)
    }

    func fill(_ template: Template?, code: Int) -> Bytes {
        var text = Bytes()
        text.reserveCapacity(128)
        template?.write(into: &text) { field, text in
            switch field {
            case .id: text.append(id)
            case .upperid: text.append(idText.uppercased())
            case .padded12: text.append(hex: number ?? 0, digits: 12)
            case .padded14: text.append(hex: number ?? 0, digits: 14)
            case .number: text.append(String(number ?? 0))
            case .negative: text.append(hex: (number ?? 0) & 0x7FFF_FFFF | 0x8000_0000)
            case .delivery: text.append(hex: delivery)
            case .upperdelivery: text.append(deliveryText.uppercased())
            case .code: text.append(decimal: code)
            case .action: text.append(Message.action(code))
            case .mcid where mcID == 0: break
            case .mcid, .digits:
                if field == .mcid { text.append("&mcId=") }
                // Two halves of 19 digits.
                text.append(decimal: Int(mcID >> 1), digits: 19)
                text.append(decimal: Int(SplitMix64.mix(mcID) >> 1), digits: 19)
            case .host: text.append(hex: UInt64(address & 0xFFFF))
            case .tls: text += [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xFC, 0x22, 0x5C]
            default: break
            }
        }
        return text
    }
}

extension Bytes {
    mutating func append(_ id: Message.ID) {
        switch id {
        case .hex(let value): append(hex: value)
        case .uuid(let high, let low):
            append(hex: high, digits: 16)
            append(hex: low, digits: 16)
            for place in [12, 17, 22, 27] { insert(0x2D, at: count - place) }
        }
    }
}
