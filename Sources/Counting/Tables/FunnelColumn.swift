/// A column of daily_funnel that counts messages.
package enum FunnelColumn: Int, CaseIterable, Sendable {
    case messages, sent, failed, arrived, impressed, clicked, opened, dismissed, openedWithoutClick
    case openedWithoutImpression, openedImpressed, openedSeen, arrivedUnseen
    // One for each of `MessageOutcome.openLimits`.
    case opened10s, opened1m, opened5m, opened15m, opened30m, opened1h, opened2h, opened6h, opened12h, opened24h
    case opened72h, opened7d

    /// All that is told of a column.
    private struct Entry: Sendable {
        let name: String
        let help: String
        /// The schema of partitions that first had it. What was settled before does not know it.
        var firstSchema = 7
        /// Whether it counts a message.
        let counts: @Sendable (MessageOutcome) -> Bool
    }

    private var entry: Entry {
        switch self {
        case .messages: Entry(name: "messages", help: "Messages first seen on the day.") { _ in true }
        case .sent:
            Entry(name: "sent", help: "Of these messages, those that were sent, by a logged event.") {
                $0.stages.contains(.sent)
            }
        case .failed:
            Entry(name: "failed", help: "Of these messages, those that failed, by a logged event.") {
                $0.stages.contains(.failed)
            }
        case .arrived:
            Entry(name: "arrived", help: "Of these messages, those with an arrival.") { $0.stages.contains(.arrived) }
        case .impressed:
            Entry(name: "impressed", help: "Of these messages, those with an impression.") {
                $0.stages.contains(.impressed)
            }
        case .clicked:
            Entry(name: "clicked", help: "Of these messages, those with a click, dismissals included.") {
                $0.stages.contains(.clicked)
            }
        case .opened:
            Entry(name: "opened", help: "Of these messages, those with an open.") { $0.stages.contains(.opened) }
        case .dismissed:
            Entry(name: "dismissed", help: "Of these messages, those clicked and not opened.") {
                $0.stages.isDismissed
            }
        case .openedWithoutClick:
            Entry(name: "opened_without_click", help: "Of these messages, those opened and not clicked.") {
                $0.stages.contains(.opened) && !$0.stages.contains(.clicked)
            }
        case .openedWithoutImpression:
            Entry(name: "opened_without_impression", help: "Of these messages, those opened and not impressed.") {
                $0.stages.contains(.opened) && !$0.stages.contains(.impressed)
            }
        case .openedImpressed:
            Entry(name: "opened_impressed", help: "Of these messages, those opened and impressed.") {
                $0.stages.isSuperset(of: [.opened, .impressed])
            }
        case .openedSeen:
            Entry(
                name: "opened_seen",
                help: "Of these messages, those opened, and sent, arrived or impressed. Only their delay is known."
            ) { $0.isOpenedSeen }
        case .arrivedUnseen:
            Entry(
                name: "arrived_unseen",
                help: "Of these messages, those that arrived and were not impressed, clicked or opened."
            ) { $0.stages.path == .arrived }
        case .opened10s, .opened1m, .opened5m, .opened15m, .opened30m, .opened1h, .opened2h, .opened6h, .opened12h,
            .opened24h, .opened72h, .opened7d:
            opened(within: rawValue - FunnelColumn.opened10s.rawValue)
        }
    }

    /// The entry of an open within one of `MessageOutcome.openLimits`.
    private func opened(within index: Int) -> Entry {
        let (number, unit) = FunnelColumn.openLimits[index]
        let limit = "\(number) \(unit)\(number == 1 ? "" : "s")"
        return Entry(
            name: "opened_\(number)\(unit.prefix(1))",
            help: "Of opened_seen, those whose earliest open is at most \(limit) after the message's first event."
        ) { $0.isOpened(within: index) }
    }

    private static let entries = allCases.map(\.entry)

    package var name: String { FunnelColumn.entries[rawValue].name }
    package var help: String { FunnelColumn.entries[rawValue].help }

    /// Whether a row may lack it, so that it is NULL there.
    package var mayBeUnknown: Bool { FunnelColumn.entries[rawValue].firstSchema > 7 }

    /// Whether the column counts a message with this outcome.
    func counts(_ outcome: MessageOutcome) -> Bool { FunnelColumn.entries[rawValue].counts(outcome) }

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
    package var openLimit: OpenLimit? {
        let index = rawValue - FunnelColumn.opened10s.rawValue
        return index < 0 ? nil : FunnelColumn.openLimits[index]
    }
}
