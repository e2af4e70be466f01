import Events
import Foundation

/// The daily figures of all partitions together.
struct Figures: Sendable {
    var daily = DailyActions()
    var funnel = DailyFunnel()

    mutating func merge(_ other: Figures) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
    }
}

/// Computes figures from partitions, range by range of their ids.
struct FigureMaker: Sendable {
    /// Bytes that an event takes in a block, at most, for sharing out the memory.
    private static let bytesPerEvent = 20
    /// Messages between two questions whether to stop.
    private static let messagesPerQuestion = 100_000

    private let partitions: PartitionSet
    private let settings: PublicationSettings
    private let means: PublicationMeans
    private let places: [[Section: [BlockPlace]]]
    private let limits: [EventNumberLimits]
    let names: GlobalNames

    init(
        _ partitions: PartitionSet, settings: PublicationSettings, means: PublicationMeans
    ) throws(WarehouseError) {
        var places: [[Section: [BlockPlace]]] = []
        var names: [EventNames] = []
        for index in 0..<partitions.count {
            let partition = try partitions.partition(index)
            places.append(try partition.blockPlaces())
            names.append(try partition.names())
        }
        self.partitions = partitions
        self.settings = settings
        self.means = means
        self.places = places
        limits = names.map(EventNumberLimits.init)
        self.names = GlobalNames(names, pipelineSources: settings.sourceNames)
    }

    /// The figures of everything, by the workers that the means offer.
    func figures() throws(WarehouseError) -> Figures {
        let events = partitions.summaries.reduce(0) { $0 + $1.events }
        let fitting = means.memory / means.workers / FigureMaker.bytesPerEvent
        let even = means.workers == 1 ? events : events / (means.workers * 4)
        let ranges = KeyRange.cut(places, events: max(min(fitting, even), 16 * EventBlock.capacity))
        let sum = FigureSum()
        means.fanout(ranges.count) { piece in
            guard sum.isWhole else { return }
            do throws(WarehouseError) {
                sum.add(try figures(of: ranges[piece]))
            } catch {
                sum.fail(error)
            }
        }
        return try sum.result()
    }

    private func figures(of range: KeyRange) throws(WarehouseError) -> Figures {
        var cursors: [BlockCursor] = []
        for index in 0..<partitions.count {
            guard let places = places[index][range.section]?.holding(range), !places.isEmpty else { continue }
            let cursor = try BlockCursor(
                partition: index, path: partitions.path(index), range: range,
                blocks: try partitions.partition(index).blocks(places), limits: limits[index])
            cursors.append(cursor)
            if means.isStopped() { throw .stopped }
        }
        var tree = CursorTree(cursors)
        cursors = []
        var judge = MessageJudge(
            logDates: partitions.summaries.map(\.logDate), windowDays: settings.windowDays, names: names,
            zone: settings.zone)
        var events: [Event] = []
        var parts: [MessageJudge.Part] = []
        var messages = 0
        while let winner = tree.winner {
            let id = tree.id(winner)
            events.removeAll(keepingCapacity: true)
            try tree.take(winner, into: &events)
            if let next = tree.winner, tree.id(next).isSame(as: id) {
                parts.removeAll(keepingCapacity: true)
                parts.append(MessageJudge.Part(partition: tree.partition(winner), events: 0..<events.count))
                while let next = tree.winner, tree.id(next).isSame(as: id) {
                    let start = events.count
                    try tree.take(next, into: &events)
                    parts.append(MessageJudge.Part(partition: tree.partition(next), events: start..<events.count))
                }
                judge.judge(events, parts: parts)
            } else {
                judge.judge(events, of: tree.partition(winner))
            }
            messages &+= 1
            if messages % FigureMaker.messagesPerQuestion == 0, means.isStopped() { throw .stopped }
        }
        return Figures(daily: judge.daily, funnel: judge.funnel)
    }
}

/// Where workers bring their figures together.
///
/// `@unchecked Sendable`: `sum` and `error` are touched only between `lock` and `unlock` of the one lock.
private final class FigureSum: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = Figures()
    private var error: WarehouseError?

    var isWhole: Bool { lock.withLock { error == nil } }

    func add(_ figures: Figures) {
        lock.withLock { sum.merge(figures) }
    }

    func fail(_ error: WarehouseError) {
        lock.withLock { self.error = self.error ?? error }
    }

    func result() throws(WarehouseError) -> Figures {
        if let error { throw error }
        return sum
    }
}
