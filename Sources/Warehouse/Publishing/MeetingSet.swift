import Calendar
import Events

/// The partitions that are compared with one another, for the figures of the fresh ones among them and for what the
/// newcomers change in the others'.
struct MeetingSet: Sendable {
    let partitions: PartitionSet
    /// Which of the partitions.
    let places: [Int]
    /// For each of `places`.
    let isFresh: [Bool]
    let isNewcomer: [Bool]
    let sources: FigureSources
    /// Of `places`, in their order.
    let names: GlobalNames
    let settings: PublicationSettings
    /// Knows the days around the log dates, so that its copies need not look for them.
    let days: DayClock

    init(
        _ partitions: PartitionSet, _ neighbourhood: Neighbourhood, _ sources: FigureSources,
        _ settings: PublicationSettings
    ) {
        self.partitions = partitions
        self.sources = sources
        self.settings = settings
        places = neighbourhood.compared
        isFresh = places.map(neighbourhood.fresh.contains)
        isNewcomer = places.map(neighbourhood.newcomers.contains)
        days = DayClock(zone: settings.zone, around: places.map { partitions.summaries[$0].logDate })
        names = GlobalNames(places.map { sources[$0].names }, pipelineSources: settings.sourceNames)
    }

    /// By the partition's own numbers: where a source stands in the pipeline.
    func sourceRanks(of place: Int) -> [UInt32] {
        places.firstIndex(of: place).map { Array(names.sources.all(of: $0)) } ?? []
    }
}

/// What comparing them came to.
struct MeetingSum: Sendable {
    /// For each partition that the others change something in: of a fresh one all that they change, of another one what
    /// the newcomers do.
    private(set) var corrections: [Int: Corrections] = [:]
    /// For each fresh one, which of its events do not count.
    private(set) var notCounting: [Int: EventSet] = [:]
    /// Pairs that share a message, at least one of them fresh.
    private(set) var pairs: Set<Neighbourhood.Pair> = []

    init(_ set: MeetingSet) {
        for (place, isFresh) in zip(set.places, set.isFresh) where isFresh {
            notCounting[place] = EventSet(events: set.partitions.summaries[place].events)
        }
    }

    /// Adds those of a range, which are by the set's own order.
    mutating func add(_ corrections: [Corrections], _ pairs: Set<Neighbourhood.Pair>, _ set: MeetingSet) {
        for (index, part) in corrections.enumerated() where !part.isEmpty {
            self.corrections[set.places[index], default: Corrections()].merge(part)
            notCounting[set.places[index]]?.insert(part.places)
        }
        for pair in pairs { self.pairs.insert(.init(set.places[pair.first], set.places[pair.second])) }
    }
}
