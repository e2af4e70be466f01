/// One push to one recipient.
struct Message: Sendable {
    enum ID: Sendable {
        case hex(UInt64)
        case uuid(UInt64, UInt64)
    }

    var id: ID
    var date: Day
    var delivery: UInt64
    /// Which of its date's deliveries that is.
    var rank: Int
    var agent: Int
    /// Where the 38 digits come from; 0 for none.
    var mcID: UInt64
    var address: UInt32
    /// The codes it is going to send, four bits each, the first in the lowest.
    var chain: UInt32
    /// Seconds from the first of them to the second; those after it follow at once.
    var delay: Int

    /// What recipients do: see it; see, click and open it; dismiss it, which sends a click alone; and so on.
    static func chain(for percent: Int) -> UInt32 {
        switch percent {
        case 0..<48: 0x7
        case 48..<74: 0x127
        case 74..<78: 0x217
        case 78..<88: 0x27
        case 88..<93: 0x12
        case 93..<95: 0x17
        case 95..<97: 0x1277
        case 97..<98: 0x37
        case 98..<99: 0x47
        default: 0x57
        }
    }

    /// Whether its recipient sees it and opens it.
    static func opens(_ chain: UInt32) -> Bool {
        var rest = chain
        while rest > 0 {
            if rest & 15 == 1 { return true }
            rest >>= 4
        }
        return false
    }

    static func action(_ code: Int) -> String {
        switch code {
        case 1: "open"
        case 2: "click"
        case 3: "button_1"
        case 4: "button_2"
        case 5: "button_close"
        default: "impression"
        }
    }

    /// The id as the truth writes it.
    var key: String {
        switch id {
        case .hex(let value): "x" + String(value, radix: 16)
        case .uuid: "u" + idText
        }
    }

    /// The id as it is most often spelled: lower case, without a type letter.
    var idText: String {
        switch id {
        case .hex(let value): return String(value, radix: 16)
        case .uuid(let high, let low):
            let first = "\(hexText(high >> 32, 8))-\(hexText(high >> 16 & 0xFFFF, 4))-\(hexText(high & 0xFFFF, 4))"
            return "\(first)-\(hexText(low >> 48, 4))-\(hexText(low & 0xFFFF_FFFF_FFFF, 12))"
        }
    }

    var deliveryText: String {
        String(delivery, radix: 16)
    }

    /// The Experience Cloud ID: two halves of 19 digits.
    var mcIDHalves: (UInt64, UInt64) {
        (mcID >> 1, SplitMix64.mix(mcID) >> 1)
    }

    /// An address of the ranges that are set aside for documentation.
    var addressText: String {
        let host = Int(address >> 2) % 254 + 1
        return switch address & 3 {
        case 0: "192.0.2.\(host)"
        case 1: "198.51.100.\(host)"
        default: "203.0.113.\(host)"
        }
    }
}

/// Lower-case digits, with leading zeros up to `width` of them.
func hexText(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension ByteBuffer {
    mutating func append(_ id: Message.ID) {
        switch id {
        case .hex(let value): append(hex: value)
        case .uuid(let high, let low):
            append(hex: high >> 32, digits: 8)
            append(0x2D)
            append(hex: (high >> 16) & 0xFFFF, digits: 4)
            append(0x2D)
            append(hex: high & 0xFFFF, digits: 4)
            append(0x2D)
            append(hex: low >> 48, digits: 4)
            append(0x2D)
            append(hex: low & 0xFFFF_FFFF_FFFF, digits: 12)
        }
    }

    mutating func append(addressOf message: Message) {
        switch message.address & 3 {
        case 0: append("192.0.2.")
        case 1: append("198.51.100.")
        default: append("203.0.113.")
        }
        append(decimal: Int(message.address >> 2) % 254 + 1)
    }
}
