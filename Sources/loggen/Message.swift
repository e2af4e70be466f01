import Reference

/// One push to one recipient.
struct Message: Sendable {
    /// As it is most often spelled: lower case, without a type letter.
    var id: String
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

    var firstCode: Int { Int(chain & 15) }

    var lastCode: Int { Int(chain >> ((31 - UInt32(chain.leadingZeroBitCount)) / 4 * 4)) }

    var deliveryText: String { String(delivery, radix: 16) }

    /// The push service's own id of it.
    var notification: UInt64 { SplitMix64.mix(mcID ^ UInt64(address)) }

    /// An address of the ranges that are set aside for documentation.
    var addressText: String {
        let range = ["192.0.2.", "198.51.100.", "203.0.113.", "203.0.113."][Int(address & 3)]
        return range + String(Int(address >> 2) % 254 + 1)
    }

    /// A hit as the app's SDK sends it.
    func hit(code: Int, at time: Int) -> WebLine {
        WebLine(
            address: addressText, time: time, target: "/r/?id=h\(id),\(deliveryText),\(code)\(mcIDParameter)",
            agent: agent.text)
    }

    private var mcIDParameter: String {
        if mcID == 0 { return "" }
        return "&mcId=" + padded(Int(mcID >> 1), 19) + padded(Int(SplitMix64.mix(mcID) >> 1), 19)
    }
}
