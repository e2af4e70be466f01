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

    /// Adds what was added up in the numbers of one partition.
    mutating func merge(_ sole: SoleMessages, of partition: Int, _ names: GlobalNames) {
        daily.merge(
            sole.daily, source: { UInt16(truncatingIfNeeded: names.sources.global(Int($0), of: partition)) },
            delivery: { names.deliveries.global(Int($0), of: partition) },
            action: { UInt16(truncatingIfNeeded: names.actions.global(Int($0), of: partition)) })
        funnel.merge(sole.funnel) { names.deliveries.global(Int($0), of: partition) }
    }
}

/// Computes figures from partitions, range by range of their ids.
struct FigureMaker: Sendable {
    /// Bytes that an event takes in a block, at most, for sharing out the memory.
    private static let bytesPerEvent = 20
    /// Steps between two questions whether to stop.
    private static let stepsPerQuestion = 100_000

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
        let ranges = KeyRange.cut(places, events: max(min(fitting, even), means.leastPiece))
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
        var cursors = try cursors(of: range)
        var tree = CursorTree(cursors)
        var judge = MessageJudge(
            logDates: partitions.summaries.map(\.logDate), windowDays: settings.windowDays, names: names)
        var sole = (0..<partitions.count).map { names.soleMessages(of: $0) }
        var days = DayClock(zone: settings.zone)
        let sink: BlockCursor.Sink = { sole[$0].add($1, days: &days) }
        var lastWinner: Int?
        var steps = 0
        while let winner = tree.winner {
            let id = tree.id(winner)
            let place = try cursors[winner].message(sink)
            // Who won twice may well go on winning.
            if winner == lastWinner, tree.runnerUp.map({ id.precedes($0) }) ?? true {
                cursors[winner].skip(to: tree.runnerUp)
                tree.replayWinner(id: cursors[winner].id, isDone: cursors[winner].isDone)
            } else {
                lastWinner = winner
                cursors[winner].advance(past: place)
                tree.replayWinner(id: cursors[winner].id, isDone: cursors[winner].isDone)
                if let other = tree.winner, tree.id(other).isSame(as: id) {
                    cursors[winner].share(place)
                    judge.take(cursors[winner].buffer[place], of: cursors[winner].partition)
                    while let other = tree.winner, tree.id(other).isSame(as: id) {
                        let place = try cursors[other].message(sink)
                        judge.take(cursors[other].buffer[place], of: cursors[other].partition)
                        cursors[other].share(place)
                        cursors[other].advance(past: place)
                        tree.replayWinner(id: cursors[other].id, isDone: cursors[other].isDone)
                    }
                    judge.judge(&days)
                }
            }
            steps &+= 1
            if steps % FigureMaker.stepsPerQuestion == 0, means.isStopped() { throw .stopped }
        }
        for index in cursors.indices { cursors[index].handOnRest(sink) }
        var figures = Figures(daily: judge.daily, funnel: judge.funnel)
        for (partition, sole) in sole.enumerated() { figures.merge(sole, of: partition, names) }
        return figures
    }

    private func cursors(of range: KeyRange) throws(WarehouseError) -> [BlockCursor] {
        var cursors: [BlockCursor] = []
        for index in 0..<partitions.count {
            guard let places = places[index][range.section]?.holding(range), !places.isEmpty else { continue }
            let cursor = try BlockCursor(
                partition: index, path: partitions.path(index), range: range,
                blocks: try partitions.partition(index).blocks(places), limits: limits[index])
            cursors.append(cursor)
            if means.isStopped() { throw .stopped }
        }
        return cursors
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
