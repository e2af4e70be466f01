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
}
