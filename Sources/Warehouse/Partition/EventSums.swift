import SQLite

/// The standalone events of a partition, by platform and action. In the partition's numbers.
struct EventSums: Sendable {
    struct Key: Hashable {
        let platform: Int64
        let action: Int64
    }

    var events: [Key: Int] = [:]

    /// The rows of `sums`, in the order of its key.
    var rows: [[DatabaseValue]] {
        events.sorted { ($0.key.platform, $0.key.action) < ($1.key.platform, $1.key.action) }.map { key, events in
            .of(key.platform, key.action, events)
        }
    }
}
