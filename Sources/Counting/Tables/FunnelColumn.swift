/// A column of daily_funnel that counts messages.
package enum FunnelColumn: Int, CaseIterable, Sendable {
    case messages, sent, failed, arrived, impressed, clicked, opened, dismissed, openedWithoutClick
    case openedWithoutImpression, openedImpressed, openedSeen, arrivedUnseen
    // One for each of `MessageOutcome.openLimits`.
    case opened10s, opened1m, opened5m, opened15m, opened30m, opened1h, opened2h, opened6h, opened12h, opened24h
    case opened72h, opened7d

    private static let names =
        [
            "messages", "sent", "failed", "arrived", "impressed", "clicked", "opened", "dismissed",
            "opened_without_click", "opened_without_impression", "opened_impressed", "opened_seen", "arrived_unseen",
        ] + openLimits.map { "opened_\($0.number)\($0.unit.prefix(1))" }

    package var name: String { FunnelColumn.names[rawValue] }

    /// The schema of partitions that first had it. What was settled before does not know it.
    private var firstSchema: Int { 7 }

    /// Whether a row may lack it, so that it is NULL there.
    package var mayBeUnknown: Bool { firstSchema > 7 }

    /// A time to open: 15 minutes.
    package typealias OpenLimit = (number: UInt64, unit: String)

    private static let openLimits = MessageOutcome.openLimits.indices.map { index -> OpenLimit in
        let seconds = MessageOutcome.openLimits[index] / 1000
        // 72 hours are not called 3 days.
        if seconds >= 7 * 86_400 { return (seconds / 86_400, "day") }
        if seconds >= 3600 { return (seconds / 3600, "hour") }
        return seconds >= 60 ? (seconds / 60, "minute") : (seconds, "second")
    }

    /// How soon the messages were opened at the latest; nil if the column does not say.
    package var openLimit: OpenLimit? { limitIndex.map { FunnelColumn.openLimits[$0] } }

    private var limitIndex: Int? {
        let index = rawValue - FunnelColumn.opened10s.rawValue
        return index < 0 ? nil : index
    }

    /// Whether the column counts a message with this outcome.
    func counts(_ outcome: MessageOutcome) -> Bool {
        if let limitIndex { return outcome.isOpened(within: limitIndex) }
        let stages = outcome.stages
        return switch self {
        case .sent: stages.contains(.sent)
        case .failed: stages.contains(.failed)
        case .arrived: stages.contains(.arrived)
        case .impressed: stages.contains(.impressed)
        case .clicked: stages.contains(.clicked)
        case .opened: stages.contains(.opened)
        case .dismissed: stages.isDismissed
        case .openedWithoutClick: stages.contains(.opened) && !stages.contains(.clicked)
        case .openedWithoutImpression: stages.contains(.opened) && !stages.contains(.impressed)
        case .openedImpressed: stages.isSuperset(of: [.opened, .impressed])
        case .openedSeen: outcome.isOpenedSeen
        case .arrivedUnseen: stages.path == .arrived
        default: true
        }
    }
}

/// The number of messages in each column of daily_funnel.
package struct FunnelCounts: Equatable, Sendable {
    /// In the order of `FunnelColumn`.
    package private(set) var all = Array(repeating: 0, count: FunnelColumn.allCases.count)

    /// By outcome: the columns that count a message with it.
    private static let columns: [[Int]] = (0..<MessageOutcome.count).map { outcome in
        let outcome = MessageOutcome(rawValue: UInt16(outcome))
        return FunnelColumn.allCases.filter { $0.counts(outcome) }.map(\.rawValue)
    }

    package init() {}

    package subscript(column: FunnelColumn) -> Int {
        get { all[column.rawValue] }
        set { all[column.rawValue] = newValue }
    }

    var areCounts: Bool { all.allSatisfy { (0..<1 << 60).contains($0) } }

    mutating func add(_ messages: Int, of outcome: MessageOutcome) {
        for column in FunnelCounts.columns[Int(outcome.rawValue)] { all[column] += messages }
    }

    package static func += (sum: inout FunnelCounts, counts: FunnelCounts) {
        for column in sum.all.indices { sum.all[column] += counts.all[column] }
    }
}

/// What became of a message: which stages it reached, and how soon it was opened.
///
/// The low four bits are the path of its `Stages`. The next four are the open delay: 0 if the message was not opened, or
/// neither sent nor arrived nor impressed, so that nothing tells when it could be seen. Otherwise 1 for an open within the
/// first limit of `openLimits`, 2 for one within the second, and so on; 13 for a later one. Two more bits tell whether it was
/// sent, and whether it failed.
package struct MessageOutcome: Hashable, BitwiseCopyable, Sendable {
    package let rawValue: UInt16

    /// Milliseconds after the message's first event: 10 seconds, 1, 5, 15 and 30 minutes, 1, 2, 6, 12, 24 and 72 hours, 7
    /// days. The columns `opened_…`, their names and their descriptions follow from these.
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

/// The funnel stages that a message reached: which of these actions it has an event of.
package struct Stages: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let arrived = Stages(rawValue: 1)
    package static let impressed = Stages(rawValue: 2)
    package static let clicked = Stages(rawValue: 4)
    package static let opened = Stages(rawValue: 8)
    package static let sent = Stages(rawValue: 16)
    package static let failed = Stages(rawValue: 32)
    /// Those of daily_paths, in the order in which messages reach them.
    package static let ofPath: [Stages] = [.arrived, .impressed, .clicked, .opened]

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Those of daily_paths.
    package var path: Stages { Stages(rawValue: rawValue & 15) }

    /// An open always sends a click too. A click without an open is a dismissal.
    package var isDismissed: Bool { contains(.clicked) && !contains(.opened) }

    /// The stage of an action; empty for actions that are not part of the funnel.
    init(action: String) {
        switch action {
        case "sent": self = .sent
        case "failed": self = .failed
        case "arrival": self = .arrived
        case "impression": self = .impressed
        case "click": self = .clicked
        case "open": self = .opened
        default: self = []
        }
    }
}
