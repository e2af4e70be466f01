/// What a load would take away from the partition that is there.
struct Losses {
    let standing: Partition
    let load: Partition

    init(of standing: Partition, in load: Partition) {
        (self.standing, self.load) = (standing, load)
    }

    var areTooMany: Bool { Set(standing.events.map(\.hit.source)).contains { areTooMany(of: $0) } }

    private func areTooMany(of source: String) -> Bool {
        let before = standing.events.filter { $0.hit.source == source }
        let now = load.events.filter { $0.hit.source == source }
        let parts = [nil as String?] + Set(before.map(\.hit.action)).map { $0 }
        return parts.contains { action in
            func count(_ events: [PartitionEvent]) -> Int {
                events.count { action == nil || $0.hit.action == action }
            }
            return count(before) >= 1000 && 2 * count(now) < count(before)
        }
    }
}
