/// How an event of a shared message is counted when other partitions are taken into account.
package struct Resolution: Equatable, Sendable {
    /// The cached form: bit 0 is `counts`, bit 1 `isEarliest`, bit 2 `isFirst`; the outcome starts at bit 8.
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The value for events that are not resolved yet.
    package static let unknown = Resolution(rawValue: 0)

    init(counts: Bool) {
        rawValue = counts ? 1 : 0
    }

    /// Whether the event counts.
    var counts: Bool { rawValue & 1 != 0 }
    /// Whether this is the earliest event of the message in its partition. `isFirst` and `outcome` are valid only then.
    var isEarliest: Bool { rawValue & 2 != 0 }
    /// Whether this is the message's first event: no partition within reach has an earlier one.
    var isFirst: Bool { rawValue & 4 != 0 }
    /// What became of the message in all partitions within reach.
    var outcome: MessageOutcome { MessageOutcome(rawValue: UInt8(rawValue >> 8)) }

    func earliest(isFirst: Bool, _ outcome: MessageOutcome) -> Resolution {
        Resolution(rawValue: rawValue & 1 | 2 | (isFirst ? 4 : 0) | UInt16(outcome.rawValue) << 8)
    }
}
