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
        let name = newName(of: source)
        let now = load.events.filter { $0.hit.source == name }
        let parts = [nil as String?] + Set(before.map(\.hit.action)).map { $0 }
        return parts.contains { action in
            func count(_ events: [PartitionEvent]) -> Int {
                events.count { action == nil || $0.hit.action == action }
            }
            return count(before) >= 1000 && 2 * count(now) < count(before)
        }
    }

    /// What a source is called in the load, if the pipeline has it under another name alone.
    private func newName(of source: String) -> String {
        func names(_ pipeline: Pipeline) -> Set<String> { Set(pipeline.sources.map(\.name)) }
        guard !names(load.pipeline).contains(source),
            var renamed = standing.pipeline.sources.first(where: { $0.name == source })
        else { return source }
        for name in names(load.pipeline).subtracting(names(standing.pipeline)) {
            renamed.name = name
            if load.pipeline.sources.contains(renamed) { return name }
        }
        return source
    }
}
