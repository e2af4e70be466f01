import Events

/// The partitions that are compared with one another, for the figures of some of them.
struct MeetingSet: Sendable {
    let partitions: PartitionSet
    /// Which of the partitions.
    let places: [Int]
    /// For each of `places`, whether its figures are wanted.
    let isOutdated: [Bool]
    let sources: FigureSources
    /// Of `places`, in their order.
    let names: GlobalNames
    let settings: PublicationSettings

    init(
        _ partitions: PartitionSet, _ places: [Int], outdated: Set<Int>, sources: FigureSources, names: GlobalNames,
        settings: PublicationSettings
    ) {
        self.partitions = partitions
        self.places = places
        isOutdated = places.map(outdated.contains)
        self.sources = sources
        self.names = names
        self.settings = settings
    }

    /// By the partition's own numbers: where a source stands in the pipeline.
    func sourceRanks(of place: Int) -> [UInt32] {
        places.firstIndex(of: place).map { Array(names.sources.all(of: $0)) } ?? []
    }
}

/// What comparing them came to.
struct MeetingSum: Sendable {
    /// For each partition whose figures are wanted: what the others change, and which of its events do not count.
    private(set) var parts: [Int: (Corrections, EventSet)] = [:]
    /// Which of them were found to share a message with which partition.
    private(set) var pairs: Set<Neighbourhood.Pair> = []

    init(_ set: MeetingSet) {
        for (place, isOutdated) in zip(set.places, set.isOutdated) where isOutdated {
            parts[place] = (Corrections(), EventSet(events: set.partitions.summaries[place].events))
        }
    }

    /// Adds those of a range, which are by the set's own order.
    mutating func add(_ corrections: [Corrections], _ pairs: Set<Neighbourhood.Pair>, _ set: MeetingSet) {
        for (index, part) in corrections.enumerated() where set.isOutdated[index] && !part.isEmpty {
            parts[set.places[index]]?.0.merge(part)
            parts[set.places[index]]?.1.insert(part.places)
        }
        for pair in pairs { self.pairs.insert(.init(set.places[pair.first], set.places[pair.second])) }
    }
}
