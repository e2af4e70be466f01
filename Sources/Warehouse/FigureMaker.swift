import Events

/// Brings the kept figures of all partitions up to date. A partition's part of the figures is what it would be if the
/// partition were alone, which it has from its loading, and what the messages that it shares with others change in that.
/// It is computed anew only if the partition, the settings or one with which it shares a message has changed; and then
/// only ids are compared, and the events behind them read where they meet.
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
        var kept = partitions.summaries.map { KeptFigures(of: $0, settings: settings, in: partitions.folder) }
        var neighbourhood = Neighbourhood(partitions.summaries, kept: kept.map { $0?.head }, windowDays: settings.windowDays)
        try compare(neighbourhood.openPairs, &neighbourhood)
        let wanted = neighbourhood.wanted
        let computed = try compute(wanted, neighbourhood, before: kept)
        for (place, figures) in computed { kept[place] = figures }
        return kept.compactMap { $0 }
    }

    /// Finds out which pairs of partitions share a message.
    private func compare(
        _ pairs: [Neighbourhood.Pair], _ neighbourhood: inout Neighbourhood
    ) throws(WarehouseError) {
        guard !pairs.isEmpty else { return }
        let events = pairs.reduce(0) { $0 + partitions.summaries[$1.first].events + partitions.summaries[$1.second].events }
        // Comparing all with all at once costs about as much as comparing each with some two others.
        guard events <= 4 * partitions.summaries.reduce(0, { $0 + $1.events }) else { return neighbourhood.forget() }
        let sources = try FigureSources(partitions, Set(pairs.flatMap { [$0.first, $0.second] }).sorted(), means)
        let sum = SharedSum<[Neighbourhood.Pair: Bool]>([:])
        means.fanout(pairs.count) { index in
            sum.add { () throws(WarehouseError) in
                let pair = pairs[index]
                let comparison = MeetingTest(
                    try partitions.partition(pair.first), sources[pair.first],
                    try partitions.partition(pair.second), sources[pair.second], means)
                let meets = try comparison.meets()
                return { $0[pair] = meets }
            }
        }
        for (pair, meets) in try sum.result() { neighbourhood.note(pair, meets: meets) }
    }

    /// Computes the figures of the outdated ones among the wanted partitions.
    private func compute(
        _ wanted: [Int], _ neighbourhood: Neighbourhood, before: [KeptFigures?]
    ) throws(WarehouseError) -> [Int: KeptFigures] {
        let outdated = neighbourhood.outdated
        guard !outdated.isEmpty else { return [:] }
        let sources = try FigureSources(partitions, wanted, means)
        let set = MeetingSet(
            partitions, wanted, outdated: outdated, sources: sources,
            names: GlobalNames(wanted.map { sources[$0].names }, pipelineSources: settings.sourceNames),
            settings: settings)
        let total = try meetings(set)
        let sum = SharedSum<[Int: KeptFigures]>([:])
        let places = outdated.sorted()
        means.fanout(places.count) { index in
            sum.add { () throws(WarehouseError) in
                let place = places[index]
                let notCounting = total.parts[place]?.1.hash ?? 0
                let figures = try figures(of: place, set, total, before: before[place], notCounting)
                let kept = KeptFigures(
                    figures, of: partitions.summaries[place], names: sources[place].names,
                    neighbours: neighbourhood.neighbours(of: place, meetings: total.pairs), notCounting: notCounting,
                    settings: settings, in: partitions.folder)
                return { $0[place] = kept }
            }
        }
        return try sum.result()
    }

    /// What the partitions change in one another.
    private func meetings(_ set: MeetingSet) throws(WarehouseError) -> MeetingSum {
        let blocks = MeetingBlocks(set.places.map { set.sources[$0].blocks }).places
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

    private func figures(
        of place: Int, _ set: MeetingSet, _ total: MeetingSum, before: KeptFigures?, _ hash: UInt64
    ) throws(WarehouseError) -> PartitionFigures {
        if means.isStopped() { throw .stopped }
        let partition = try partitions.partition(place)
        let source = set.sources[place]
        var figures: PartitionFigures
        let ranks = set.sourceRanks(of: place)
        if partition.summary.zoneName == settings.zoneName, ranks == ranks.sorted() {
            figures = try partition.figures(source.limits)
        } else {
            figures = try source.figures(of: partition, zone: settings.zone, sourceRanks: ranks, means)
        }
        guard let (corrections, notCounting) = total.parts[place] else { return figures }
        let doubtful = figures.apply(corrections)
        guard !doubtful.isEmpty else { return figures }
        // Where the same events count as before, so are the first and the last of them.
        if let before, before.head.notCounting == hash, let known = before.figures(source.limits) {
            figures.settle(by: known, doubtful)
            return figures
        }
        let times = try source.times(
            of: doubtful, in: partition, notCounting: notCounting, zone: settings.zone, means)
        figures.settle(times)
        return figures
    }
}
