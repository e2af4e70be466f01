import Events
import Foundation

/// The daily figures of all partitions together.
struct Figures: Sendable {
    var daily = DailyActions()
    var funnel = DailyFunnel()

    /// Adds a partition's figures, which are in its own numbers.
    mutating func merge(_ figures: PartitionFigures, of partition: Int, _ names: GlobalNames) {
        daily.merge(
            figures.daily, source: { UInt16(truncatingIfNeeded: names.sources.global(Int($0), of: partition)) },
            delivery: { names.deliveries.global(Int($0), of: partition) },
            action: { UInt16(truncatingIfNeeded: names.actions.global(Int($0), of: partition)) })
        funnel.merge(figures.funnel) { names.deliveries.global(Int($0), of: partition) }
    }
}

/// Computes figures from partitions: each partition's own as if it were alone, which it has from its loading, and what
/// the messages that it shares with others change in them. Only ids are compared; the events behind them are read where
/// they meet.
struct FigureMaker: Sendable {
    /// Bytes that an event takes while ids are compared, at most: in its block, its id, its bits.
    private static let bytesPerEvent = 48

    private let partitions: PartitionSet
    private let settings: PublicationSettings
    private let means: PublicationMeans
    private let sources: [FigureSource]
    let names: GlobalNames

    init(
        _ partitions: PartitionSet, settings: PublicationSettings, means: PublicationMeans
    ) throws(WarehouseError) {
        var sources: [FigureSource] = []
        for index in 0..<partitions.count {
            sources.append(try FigureSource(try partitions.partition(index)))
        }
        self.partitions = partitions
        self.settings = settings
        self.means = means
        self.sources = sources
        names = GlobalNames(sources.map(\.names), pipelineSources: settings.sourceNames)
    }

    /// The figures of everything, by the workers that the means offer.
    func figures() throws(WarehouseError) -> Figures {
        let (corrections, notCounting) = try corrections()
        let sum = SharedSum(Figures())
        means.fanout(partitions.count) { index in
            sum.add { () throws(WarehouseError) in
                let figures = try figures(of: index, corrections[index], notCounting[index])
                return { $0.merge(figures, of: index, names) }
            }
        }
        return try sum.result()
    }

    /// For each partition what the others change, and which of its events do not count.
    private func corrections() throws(WarehouseError) -> ([Corrections], [EventSet]) {
        let blocks = MeetingBlocks(sources.map(\.blocks)).places
        let events = blocks.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let fitting = means.memory / means.workers / FigureMaker.bytesPerEvent
        let even = means.workers == 1 ? events : events / (means.workers * 4)
        let ranges = KeyRange.cut(blocks, events: max(min(fitting, even, MeetingRange.goodEvents), means.leastPiece))
        let none = partitions.summaries.map { (Corrections(), EventSet(events: $0.events)) }
        let sum = SharedSum(none)
        means.fanout(ranges.count) { piece in
            sum.add { () throws(WarehouseError) in
                var range = try MeetingRange(ranges[piece], blocks, partitions, sources, settings, names, means)
                let corrections = try range.corrections()
                return { total in
                    for (index, part) in corrections.enumerated() where !part.isEmpty {
                        total[index].0.merge(part)
                        total[index].1.insert(part.places)
                    }
                }
            }
        }
        let total = try sum.result()
        return (total.map(\.0), total.map(\.1))
    }

    private func figures(
        of index: Int, _ corrections: Corrections, _ notCounting: EventSet
    ) throws(WarehouseError) -> PartitionFigures {
        if means.isStopped() { throw .stopped }
        let partition = try partitions.partition(index)
        let source = sources[index]
        let ranks = Array(names.sources.all(of: index))
        var figures: PartitionFigures
        if partition.summary.zoneName == settings.zoneName, ranks == ranks.sorted() {
            figures = try partition.figures(source.limits)
        } else {
            figures = try source.figures(of: partition, zone: settings.zone, sourceRanks: ranks, means)
        }
        let doubtful = figures.apply(corrections)
        guard !doubtful.isEmpty else { return figures }
        let settled = SettledRows(
            of: partition, folder: partitions.folder.partitionsPath, zoneName: settings.zoneName,
            notCounting: notCounting)
        if let known = settled.times(of: doubtful) {
            figures.settle(known, doubtful)
        } else {
            let times = try source.times(
                of: doubtful, in: partition, notCounting: notCounting, zone: settings.zone, means)
            settled.keep(times)
            figures.settle(times, doubtful)
        }
        return figures
    }
}

/// A sum that workers add to.
///
/// `@unchecked Sendable`: `sum` and `error` are touched only between `lock` and `unlock` of the one lock.
private final class SharedSum<Sum>: @unchecked Sendable {
    private let lock = NSLock()
    private var sum: Sum
    private var error: WarehouseError?

    init(_ sum: Sum) {
        self.sum = sum
    }

    /// Computes a part, and lets it add itself; nothing any more once a part has failed.
    func add(_ part: () throws(WarehouseError) -> ((inout Sum) -> Void)) {
        guard lock.withLock({ error == nil }) else { return }
        do throws(WarehouseError) {
            let add = try part()
            lock.withLock { add(&sum) }
        } catch {
            lock.withLock { self.error = self.error ?? error }
        }
    }

    func result() throws(WarehouseError) -> Sum {
        if let error { throw error }
        return sum
    }
}
