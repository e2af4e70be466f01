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
