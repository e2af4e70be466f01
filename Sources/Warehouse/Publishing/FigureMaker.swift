import Events
import Posix

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
            let stamp = FileStamp(path: partitions.path(place))
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
            let stamp = FileStamp(path: partitions.path(place))
            kept[place]?.confirm(stamp, of: partitions.summaries[place], in: partitions.folder)
        }
    }

    /// Computes the figures of fresh partitions, and brings up to date those of the others that a newcomer changes. Nil
    /// stands for one whose figures must be computed as a fresh one's after all.
    private func compute(
        _ neighbourhood: Neighbourhood, _ kept: [KeptFigures?]
    ) throws(WarehouseError) -> [Int: KeptFigures?] {
        let set = MeetingSet(
            partitions, neighbourhood, try FigureSources(partitions, neighbourhood.compared, means), settings)
        let total = try meetings(set)
        @Sendable func keep(_ made: Made, of place: Int, notCounting: UInt64) -> KeptFigures {
            KeptFigures(
                made.body, shares: made.shares, of: partitions.summaries[place],
                neighbours: neighbourhood.neighbours(of: place, meetings: total.pairs), notCounting: notCounting,
                stamp: stamp(place), settings: settings, in: partitions.folder)
        }
        let met = neighbourhood.newcomers.isEmpty ? [] : Set(total.pairs.flatMap { [$0.first, $0.second] })
        var results: [Int: KeptFigures?] = try spread(met.subtracting(neighbourhood.fresh).sorted()) {
            place throws(WarehouseError) -> KeptFigures? in
            let corrections = total.corrections[place] ?? Corrections()
            let hash = (kept[place]?.head.notCounting ?? 0) &+ corrections.placesHash
            let made = try corrected(kept[place], corrections, place, set)
            return made.map { keep($0, of: place, notCounting: hash) }
        }
        // As many at a time as there are workers, who then look for times together: figures take memory.
        var fresh = neighbourhood.fresh.sorted()[...]
        while !fresh.isEmpty {
            let group = Array(fresh.prefix(means.workers))
            fresh = fresh.dropFirst(group.count)
            var drafts = try spread(group) { place throws(WarehouseError) in try draft(place, set, total, kept[place]) }
            try settle(&drafts, set, total)
            let computed = try spread(group) { [drafts] place throws(WarehouseError) -> KeptFigures? in
                let hash = total.corrections[place]?.placesHash ?? 0
                return drafts[place].map { draft in
                    keep(Made(draft, NameHashes(set.sources[place].names)), of: place, notCounting: hash)
                }
            }
            results.merge(computed) { $1 }
        }
        return results
    }

    /// What `body` makes of each place.
    private func spread<Result: Sendable>(
        _ places: [Int], _ body: @Sendable (Int) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Int: Result] {
        let sum = SharedSum<[Int: Result]>([:])
        means.fanout(places.count) { index in
            sum.add { () throws(WarehouseError) in
                if means.isStopped() { throw .stopped }
                let result = try body(places[index])
                return { $0[places[index]] = result }
            }
        }
        return try sum.result()
    }

    /// None of a partition that is not in its place yet.
    private func stamp(_ place: Int) -> FileStamp? {
        partitions.arriving.contains(partitions.summaries[place].logDate)
            ? nil : FileStamp(path: partitions.path(place))
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
        let source = set.sources[place]
        let partition = try partitions.partition(place)
        guard let before, var body = before.readBody() else { return nil }
        if corrections.isEmpty { return Made(body: body, shares: before.head.shares) }
        guard corrections.leavesDaily else {
            guard var figures = try body.figures(source.limits, of: partition), figures.apply(corrections).isEmpty
            else { return nil }
            return Made(Draft(figures: figures), NameHashes(source.names))
        }
        guard var funnel = try body.funnel(source.limits, of: partition) else { return nil }
        funnel.merge(corrections.funnel)
        body.funnel = funnel.bytes
        return Made(body: body, shares: before.head.shares.replacing(funnel, NameHashes(source.names)))
    }

    /// The figures of a fresh partition: those that it would have alone, and what all others change in them. Nothing is
    /// known yet of the first and last events of doubtful rows, unless what was kept of it tells.
    private func draft(
        _ place: Int, _ set: MeetingSet, _ total: MeetingSum, _ before: KeptFigures?
    ) throws(WarehouseError) -> Draft {
        let partition = try partitions.partition(place)
        let source = set.sources[place]
        let ranks = set.sourceRanks(of: place)
        let isAsLoaded = partition.summary.zoneName == settings.zoneName && ranks == ranks.sorted()
        var draft = Draft(
            figures: isAsLoaded
                ? try partition.figures(source.limits)
                : try source.figures(of: partition, zone: settings.zone, sourceRanks: ranks, means),
            isOwn: isAsLoaded)
        guard let corrections = total.corrections[place] else { return draft }
        draft.isOwn = false
        draft.doubtful = draft.figures.apply(corrections)
        // Where the same events count as before, so are the first and the last of them.
        if !draft.doubtful.isEmpty, let before, before.head.notCounting == corrections.placesHash,
            let known = try before.readBody()?.daily(source.limits, of: partition)
        {
            draft.figures.settle(by: known, draft.doubtful)
            draft.doubtful = []
        }
        return draft
    }

    /// Looks for the first and last events of all doubtful rows.
    private func settle(
        _ drafts: inout [Int: Draft], _ set: MeetingSet, _ total: MeetingSum
    ) throws(WarehouseError) {
        let searches = drafts.filter { !$1.doubtful.isEmpty }.flatMap { place, draft in
            set.sources[place].runs(means.workers * 4).map { (place: place, rows: draft.doubtful, run: $0) }
        }
        let sum = SharedSum<[Int: RowTimes]>([:])
        means.fanout(searches.count) { index in
            sum.add { () throws(WarehouseError) in
                let (place, rows, run) = searches[index]
                var times = RowTimes(rows, deliveries: set.sources[place].limits.deliveries, days: set.days)
                guard let notCounting = total.notCounting[place] else { return { _ in } }
                try times.add(run, of: try partitions.partition(place), notCounting, means)
                return { $0[place, default: times].merge(times) }
            }
        }
        for (place, times) in try sum.result() { drafts[place]?.figures.settle(times.table) }
    }
}

/// Figures of a fresh partition on their way.
private struct Draft: Sendable {
    var figures: PartitionFigures
    /// Whether they are the partition's own.
    var isOwn = false
    /// Rows of which the first and the last event are still to be found.
    var doubtful: [PackedKey] = []
}

/// Figures as they are kept.
private struct Made: Sendable {
    let body: KeptFigures.Body
    let shares: [Int32: DayShare]

    init(body: KeptFigures.Body, shares: [Int32: DayShare]) {
        self.body = body
        self.shares = shares
    }

    init(_ draft: Draft, _ names: NameHashes) {
        body =
            draft.isOwn
            ? KeptFigures.Body()
            : KeptFigures.Body(daily: draft.figures.daily.bytes, funnel: draft.figures.funnel.bytes)
        shares = [Int32: DayShare](draft.figures, names)
    }
}
