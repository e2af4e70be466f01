/// What became of a message: which stages it reached, and how soon it was opened.
///
/// The low four bits are the path of its `Stages`. The next four are the open delay: 0 if the message was not opened,
/// or neither sent nor arrived nor impressed, so that nothing tells when it could be seen. Otherwise 1 for an open
/// within the first limit of `openLimits`, 2 for one within the second, and so on; 13 for a later one. Two more bits
/// tell whether it was sent, and whether it failed.
package struct MessageOutcome: Hashable, BitwiseCopyable, Sendable {
    package let rawValue: UInt16

    /// Milliseconds after the message's first event: 10 seconds, 1, 5, 15 and 30 minutes, 1, 2, 6, 12, 24 and 72 hours,
    /// 7 days. The columns `opened_…`, their names and their descriptions follow from these.
    static let openLimits: InlineArray<12, UInt64> = [
        10_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
        259_200_000, 604_800_000,
    ]
    /// Raw values are below this one.
    static let count = 1024
    /// Below this one, if no message was sent or failed, as far as is known.
    static let countWithoutSends = 256

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// - Parameters:
    ///   - first: the time of the message's first event, in milliseconds since 1970.
    ///   - open: the time of its earliest open, not before `first`. Unused if the message was not opened.
    @inline(__always)
    init(_ stages: Stages, first: Int64, open: Int64) {
        let reached = UInt16(stages.path.rawValue) | UInt16(stages.rawValue & ~15) << 4
        guard stages.contains(.opened), !stages.isDisjoint(with: [.sent, .arrived, .impressed]) else {
            rawValue = reached
            return
        }
        let delay = UInt64(bitPattern: open &- first)
        var bucket = 1 as UInt16
        for index in MessageOutcome.openLimits.indices {
            bucket &+= delay > MessageOutcome.openLimits[index] ? 1 : 0
        }
        rawValue = bucket << 4 | reached
    }

    package var stages: Stages { Stages(rawValue: UInt8(rawValue & 15 | rawValue >> 4 & 48)) }

    private var delay: UInt16 { rawValue >> 4 & 15 }

    /// Whether the message was opened, and could be seen before.
    var isOpenedSeen: Bool { delay > 0 }

    /// Whether it was opened within a limit, given by its index in `openLimits`.
    func isOpened(within limit: Int) -> Bool { isOpenedSeen && delay <= limit + 1 }
}
