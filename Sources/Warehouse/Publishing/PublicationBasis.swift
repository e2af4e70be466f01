import Counting
import Events

/// The partitions, settings and resources of a publishing.
struct PublicationBasis: Sendable {
    /// The most memory per event while ids are compared, in bytes: for its block, its id and its bits.
    private static let bytesPerEvent = 48
    /// The best number of events per range. Such a range fits into the second-level CPU cache. Larger ranges are
    /// slower, and smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    let partitions: PartitionSet
    let settings: PublicationSettings
    let resources: PublishingResources

    /// Ranges of ids that can be processed in parallel.
    func ranges(_ entries: [[Section: [BlockEntry]]]) -> [SectionRange] {
        let events = entries.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let workers = resources.workers.count
        let fitting = resources.memory / workers / PublicationBasis.bytesPerEvent
        let even = workers == 1 ? events : events / (workers * 4)
        return SectionRange.cut(
            entries, events: max(min(fitting, even, PublicationBasis.goodEvents), resources.leastPiece))
    }
}
