/// What became of an event of a shared message beside the other partitions.
package struct Resolution: Equatable, Sendable {
    /// How it is cached: bit 0 `counts`, bit 1 `isEarliest`, bit 2 `isFirst`, and from bit 4 on the stages.
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Of an event that is not resolved yet.
    package static let unknown = Resolution(rawValue: 0)

    init(counts: Bool) {
        rawValue = counts ? 1 : 0
    }

    /// Whether it counts.
    var counts: Bool { rawValue & 1 != 0 }
    /// Whether it is the earliest event that its partition has of the message. Only then the others say anything.
    var isEarliest: Bool { rawValue & 2 != 0 }
    /// Whether it is the message's first event, so that no partition within reach has an earlier one.
    var isFirst: Bool { rawValue & 4 != 0 }
    /// What the message reached within reach.
    var stages: Stages { Stages(rawValue: rawValue >> 4) }

    func earliest(isFirst: Bool, _ stages: Stages) -> Resolution {
        Resolution(rawValue: rawValue & 1 | 2 | (isFirst ? 4 : 0) | stages.rawValue << 4)
    }
}
