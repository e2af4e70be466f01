import Messages

/// A source, or one of its actions, for which a load has less than half of the installed partition's events.
package struct EventLoss: Hashable, Codable, Sendable {
    /// With fewer events in the installed partition, a loss is not judged.
    private static let fewestEvents = 1000

    package let source: String
    /// Nil for all actions of the source together.
    package let action: String?
    /// The events of the installed partition.
    package let before: Int
    /// The events of the load.
    package let now: Int

    private init?(source: String, action: String?, before: Int, now: Int) {
        guard before >= EventLoss.fewestEvents, 2 * now < before else { return nil }
        self.source = source
        self.action = action
        self.before = before
        self.now = now
    }

    /// The losses of a source: of the source as a whole, or else of single actions. Both dictionaries count events by
    /// action.
    static func losses(of source: String, before: [String: Int], now: [String: Int]) -> [EventLoss] {
        let all = before.values.reduce(0, +)
        let left = now.values.reduce(0, +)
        if let loss = EventLoss(source: source, action: nil, before: all, now: left) { return [loss] }
        return before.keys.sorted().compactMap { action in
            EventLoss(source: source, action: action, before: before[action] ?? 0, now: now[action] ?? 0)
        }
    }

    var text: MessageText {
        let action: MessageText = action.map { " '\($0)'" } ?? ""
        return """
            source '\(source)' would have \(Text.number(now))\(action) events instead of \(Text.number(before))
            """
    }
}
