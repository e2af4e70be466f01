import Events

/// Brings the kept figures of all partitions up to date. A partition's part of the figures is what it would be if the
/// partition were alone, which it has from its loading, and what the messages that it shares with others change in that.
/// It is computed anew only if the partition, the settings or one with which it shares a message has changed; and then
/// only ids are compared, and the events behind them read where they meet. What a partition that is new changes in the
/// others' figures is judged message by message, with it and without it.
struct FigureMaker: Sendable {
    /// Bytes that an event takes while ids are compared, at most: in its block, its id, its bits.
    private static let bytesPerEvent = 48

    private let partitions: PartitionSet
    private let settings: PublicationSettings
    private let means: PublicationMeans

    init(_ partitions: PartitionSet, settings: PublicationSettings, means: PublicationMeans) {
        self.partitions = partitions
        self.settings = settings
        self.means = means
    }

    /// The figures of each partition, in their order.
    func figures() throws(WarehouseError) -> [KeptFigures] {
        KeptFigures.removeStrays(besides: partitions.summaries, in: partitions.folder)
        var kept = partitions.summaries.map { KeptFigures(of: $0, settings: settings, in: partitions.folder) }
        try verify(&kept)
        while true {
            let neighbourhood = Neighbourhood(
                partitions.summaries, heads: kept.map { $0?.head }, windowDays: settings.windowDays)
            guard !neighbourhood.fresh.isEmpty else { return kept.compactMap { $0 } }
            for (place, figures) in try compute(neighbourhood, kept) { kept[place] = figures }
        }
    }

    /// Reads the partitions whose files are not known to be whole, and takes note of those that are.
    private func verify(_ kept: inout [KeptFigures?]) throws(WarehouseError) {
        let places = kept.indices.filter { place in
            let summary = partitions.summaries[place]
            if means.justWritten.contains(summary.logDate) { return false }
            let stamp = PartitionStamp(path: partitions.path(place))
            return stamp == nil || kept[place]?.head.stamp != stamp
        }
        let sum = SharedSum(())
        means.fanout(places.count) { index in
            sum.add { () throws(WarehouseError) in
                try partitions.partition(places[index]).verify(means.isStopped)
                return { _ in }
            }
        }
        try sum.result()
        for place in places {
            let stamp = PartitionStamp(path: partitions.path(place))
            kept[place]?.confirm(stamp, of: partitions.summaries[place], in: partitions.folder)
        }
    }

    /// Figures, and whether they are the partition's own.
    private typealias Made = (figures: PartitionFigures, isOwn: Bool)

    /// Computes the figures of fresh partitions, and brings up to date those of the others that a newcomer changes. Nil
    /// stands for one whose figures must be computed as a fresh one's after all.
    private func compute(
        _ neighbourhood: Neighbourhood, _ kept: [KeptFigures?]
    ) throws(WarehouseError) -> [Int: KeptFigures?] {
        let set = MeetingSet(
            partitions, neighbourhood, try FigureSources(partitions, neighbourhood.compared, means), settings)
        let total = try meetings(set)
        let met = total.pairs.flatMap { [$0.first, $0.second] }
        // Those that may take longest first.
        let places =
            neighbourhood.fresh.sorted()
            + (neighbourhood.newcomers.isEmpty ? [] : Set(met).subtracting(neighbourhood.fresh).sorted())
        let sum = SharedSum<[Int: KeptFigures?]>([:])
        means.fanout(places.count) { index in
            sum.add { () throws(WarehouseError) in
                if means.isStopped() { throw .stopped }
                let place = places[index]
                let isFresh = neighbourhood.fresh.contains(place)
                let before = kept[place]
                let corrections = total.corrections[place] ?? Corrections()
                let notCounting = (isFresh ? 0 : before?.head.notCounting ?? 0) &+ corrections.placesHash
                let figures =
                    isFresh
                    ? try fresh(place, set, total, before, notCounting)
                    : try corrected(before, corrections, place, set)
                let result = figures.map { figures, isOwn in
                    KeptFigures(
                        figures, isOwn: isOwn, of: partitions.summaries[place], names: set.sources[place].names,
                        neighbours: neighbourhood.neighbours(of: place, meetings: total.pairs),
                        notCounting: notCounting, stamp: stamp(place),
                        settings: settings, in: partitions.folder)
                }
                return { $0[place] = .some(result) }
            }
        }
        return try sum.result()
    }

    /// None of a partition that is not in its place yet.
    private func stamp(_ place: Int) -> PartitionStamp? {
        partitions.arriving.contains(partitions.summaries[place].logDate)
            ? nil : PartitionStamp(path: partitions.path(place))
    }

    /// What the partitions change in one another.
    private func meetings(_ set: MeetingSet) throws(WarehouseError) -> MeetingSum {
        let blocks = MeetingBlocks(set.places.map { set.sources[$0].blocks }, isFresh: set.isFresh).places
        let events = blocks.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let fitting = means.memory / means.workers / FigureMaker.bytesPerEvent
        let even = means.workers == 1 ? events : events / (means.workers * 4)
        let ranges = KeyRange.cut(blocks, events: max(min(fitting, even, MeetingRange.goodEvents), means.leastPiece))
        let sum = SharedSum(MeetingSum(set))
        means.fanout(ranges.count) { piece in
            sum.add { () throws(WarehouseError) in
                var range = try MeetingRange(ranges[piece], blocks, set, means)
                let (corrections, pairs) = try range.judged()
                return { $0.add(corrections, pairs, set) }
            }
        }
        return try sum.result()
    }

    /// What kept figures come to with the newcomers; nil if that takes a look at all events of the partition.
    private func corrected(
        _ before: KeptFigures?, _ corrections: Corrections, _ place: Int, _ set: MeetingSet
    ) throws(WarehouseError) -> Made? {
        let partition = try partitions.partition(place)
        guard let before, var figures = try before.figures(set.sources[place].limits, of: partition) else { return nil }
        let isOwn = before.head.dailyLength == nil && corrections.isEmpty
        return figures.apply(corrections).isEmpty ? (figures, isOwn) : nil
    }

    /// The figures of a fresh partition: those that it would have alone, and what all others change in them.
    private func fresh(
        _ place: Int, _ set: MeetingSet, _ total: MeetingSum, _ before: KeptFigures?, _ hash: UInt64
    ) throws(WarehouseError) -> Made {
        let partition = try partitions.partition(place)
        let source = set.sources[place]
        let ranks = set.sourceRanks(of: place)
        let isAsLoaded = partition.summary.zoneName == settings.zoneName && ranks == ranks.sorted()
        var figures =
            isAsLoaded
            ? try partition.figures(source.limits)
            : try source.figures(of: partition, zone: settings.zone, sourceRanks: ranks, means)
        guard let corrections = total.corrections[place] else { return (figures, isAsLoaded) }
        let doubtful = figures.apply(corrections)
        guard !doubtful.isEmpty, let notCounting = total.notCounting[place] else { return (figures, false) }
        // Where the same events count as before, so are the first and the last of them.
        if let before, before.head.notCounting == hash, let known = try before.figures(source.limits, of: partition) {
            figures.settle(by: known, doubtful)
        } else {
            figures.settle(
                try source.times(of: doubtful, in: partition, notCounting: notCounting, zone: settings.zone, means))
        }
        return (figures, false)
    }
}
