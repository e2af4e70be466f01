/// The texts that the numbers in events stand for.
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

    /// Whether actions and deliveries are sorted by their bytes, each of them once.
    package var areSorted: Bool {
        [actions, deliveries].allSatisfy { texts in
            zip(texts, texts.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
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
