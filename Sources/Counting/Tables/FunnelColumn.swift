/// A column of daily_funnel that counts messages.
package enum FunnelColumn: Int, CaseIterable, Sendable {
    case messages, arrived, impressed, clicked, opened, dismissed, openedWithoutClick, openedWithoutImpression
    case openedImpressed, openedSeen
    case opened10s, opened1m, opened5m, opened1h, opened6h, opened24h, opened72h, opened7d

    private static let names = [
        "messages", "arrived", "impressed", "clicked", "opened", "dismissed", "opened_without_click",
        "opened_without_impression", "opened_impressed", "opened_seen", "opened_10s", "opened_1m", "opened_5m",
        "opened_1h", "opened_6h", "opened_24h", "opened_72h", "opened_7d",
    ]

    package var name: String { FunnelColumn.names[rawValue] }

    /// Whether the column counts a message with this outcome.
    func counts(_ outcome: MessageOutcome) -> Bool {
        let stages = outcome.stages
        return switch self {
        case .messages: true
        case .arrived: stages.contains(.arrived)
        case .impressed: stages.contains(.impressed)
        case .clicked: stages.contains(.clicked)
        case .opened: stages.contains(.opened)
        case .dismissed: stages.isDismissed
        case .openedWithoutClick: stages.contains(.opened) && !stages.contains(.clicked)
        case .openedWithoutImpression: stages.contains(.opened) && !stages.contains(.impressed)
        case .openedImpressed: stages.isSuperset(of: [.opened, .impressed])
        case .openedSeen: outcome.isOpenedSeen
        case .opened10s, .opened1m, .opened5m, .opened1h, .opened6h, .opened24h, .opened72h, .opened7d:
            outcome.isOpened(within: rawValue - FunnelColumn.opened10s.rawValue)
        }
    }
}
