/// A source, or one of its actions, of which a load has less than half of the events that the installed partition has.
package struct EventLoss: Hashable, Codable, Sendable {
    /// What has fewer events in the installed partition is not judged.
    private static let fewestEvents = 1000

    package let source: String
    /// Nil for all actions of the source together.
    package let action: String?
    /// The events of the installed partition.
    package let before: Int
    /// The events of the load.
    package let now: Int

    private init?(_ source: String, _ action: String?, before: Int, now: Int) {
        guard before >= EventLoss.fewestEvents, 2 * now < before else { return nil }
        (self.source, self.action, self.before, self.now) = (source, action, before, now)
    }

    /// What a load loses of a source: the source, or else those of its actions that lose too much. Events are by action.
    static func losses(of source: String, before: [String: Int], now: [String: Int]) -> [EventLoss] {
        let (all, left) = (before.values.reduce(0, +), now.values.reduce(0, +))
        if let loss = EventLoss(source, nil, before: all, now: left) { return [loss] }
        return before.keys.sorted().compactMap { action in
            EventLoss(source, action, before: before[action] ?? 0, now: now[action] ?? 0)
        }
    }
}
