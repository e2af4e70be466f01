/// What a load would take away from the partition that is there.
struct Losses {
    let standing: Partition
    let load: Partition
    /// The paths of files that exist and that no source matches.
    let others: Set<String>

    init(of standing: Partition, in load: Partition, others: Set<String>) {
        self.standing = standing
        self.load = load
        self.others = others
    }

    var areTooMany: Bool { Set(standing.events.map(\.hit.source)).contains { areTooMany(of: $0) } }

    private func areTooMany(of source: String) -> Bool {
        let before = standing.events.filter { $0.hit.source == source }
        let now = load.events.filter { $0.hit.source == source }
        let isLost = [nil as String?] + Set(before.map(\.hit.action)).map { $0 }
        guard
            isLost.contains(where: { action in
                func count(_ events: [PartitionEvent]) -> Int {
                    events.count { action == nil || $0.hit.action == action }
                }
                return count(before) >= 1000 && 2 * count(now) < count(before)
            })
        else { return false }
        return !isReadAsBefore(source) && !hasGoneFile(source)
    }

    private func files(_ partition: Partition, _ source: String) -> [Partition.File] {
        partition.files.filter { $0.source == source }.sorted {
            Bytes($0.path).lexicographicallyPrecedes(Bytes($1.path))
        }
    }

    /// Whether all files are there as they were, under the same pipeline. Then only other sources can have taken events.
    private func isReadAsBefore(_ source: String) -> Bool {
        var (former, present) = (standing.pipeline, load.pipeline)
        (former.deliveries, present.deliveries) = ([], [])
        let now = files(load, source)
        return former == present
            && files(standing, source).allSatisfy { file in
                now.contains { $0.path == file.path && $0.stored == file.stored }
            }
    }

    /// Whether a file of the standing partition is there under no name, neither as it was nor with more at its end.
    private func hasGoneFile(_ source: String) -> Bool {
        let (before, now) = (files(standing, source), files(load, source))
        func isAsItWas(_ file: Partition.File, _ others: [Partition.File]) -> Bool {
            others.contains { $0.path == file.path && $0.stored == file.stored }
        }
        var lost = before.filter { !isAsItWas($0, now) }
        var fresh = now.filter { !isAsItWas($0, before) }
        var taken: Set<String> = []
        func pair(_ isPartner: (Partition.File, Partition.File) -> Bool, mayKeepName: Bool) {
            for file in lost {
                let partners = fresh.filter { isPartner(file, $0) }
                let own = partners.first { $0.path == file.path }
                let other = partners.first { $0.path != file.path }
                guard let partner = mayKeepName ? own ?? other : other else { continue }
                if partner.path != file.path { taken.insert(partner.path) }
                lost.removeAll { $0.path == file.path }
                fresh.removeAll { $0.path == partner.path }
            }
        }
        pair({ $0.stored == $1.stored }, mayKeepName: false)
        pair({ $0.text == $1.text && $0.status == .ok && $1.status == .ok }, mayKeepName: false)
        lost.sort { $0.text.count > $1.text.count }
        pair({ $1.text.starts(with: $0.text) }, mayKeepName: true)
        return lost.contains { file in
            let isThere = now.contains { $0.path == file.path }
            return isThere ? taken.contains(file.path) : !exists(file.path)
        }
    }

    private func exists(_ path: String) -> Bool {
        others.contains(path) || load.files.contains { $0.path == path }
    }
}
