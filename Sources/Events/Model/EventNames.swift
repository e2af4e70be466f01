/// The texts behind the numbers in events.
package struct EventNames: Codable, Equatable, Sendable {
    /// In pipeline order.
    package var sources: [String]
    package var actions: [String]
    package var deliveries: [String]

    package init(sources: [String] = [], actions: [String] = [], deliveries: [String] = []) {
        self.sources = sources
        self.actions = actions
        self.deliveries = deliveries
    }

    /// Numbers of events, which are by the numbers of source and action, by their names.
    package func named(_ events: [Int: [Int: Int]]) -> [String: [String: Int]] {
        var named: [String: [String: Int]] = [:]
        for (source, counts) in events {
            for (action, count) in counts { named[sources[source], default: [:]][actions[action], default: 0] += count }
        }
        return named
    }
}
