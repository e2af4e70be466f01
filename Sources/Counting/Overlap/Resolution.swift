/// How an event of a shared message is counted when other partitions are taken into account.
package struct Resolution: Equatable, Sendable {
    /// The cached form: bit 0 is `counts`, bit 1 `isEarliest`, bit 2 `isFirst`; the stages start at bit 4.
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The value for events that are not resolved yet.
    package static let unknown = Resolution(rawValue: 0)

    init(counts: Bool) {
        rawValue = counts ? 1 : 0
    }

    /// Whether the event counts.
    var counts: Bool { rawValue & 1 != 0 }
    /// Whether this is the earliest event of the message in its partition. `isFirst` and `stages` are valid only then.
    var isEarliest: Bool { rawValue & 2 != 0 }
    /// Whether this is the message's first event: no partition within reach has an earlier one.
    var isFirst: Bool { rawValue & 4 != 0 }
    /// The stages that the message reached in all partitions within reach.
    var stages: Stages { Stages(rawValue: rawValue >> 4) }

    func earliest(isFirst: Bool, _ stages: Stages) -> Resolution {
        Resolution(rawValue: rawValue & 1 | 2 | (isFirst ? 4 : 0) | stages.rawValue << 4)
    }
}
