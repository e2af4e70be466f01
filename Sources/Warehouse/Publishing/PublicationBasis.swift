import Counting
import Events

/// What a publish works on and with.
struct PublicationBasis: Sendable {
    /// Bytes that an event takes while ids are compared, at most: in its block, its id, its bits.
    private static let bytesPerEvent = 48
    /// Events of a range that fits the second cache level; larger ones are slower, smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    let partitions: PartitionSet
    let settings: PublicationSettings
    let resources: PublishingResources

    /// Ranges of ids to work on at the same time.
    func ranges(_ entries: [[Section: [BlockEntry]]]) -> [SectionRange] {
        let events = entries.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let workers = resources.workers.count
        let fitting = resources.memory / workers / PublicationBasis.bytesPerEvent
        let even = workers == 1 ? events : events / (workers * 4)
        return SectionRange.cut(
            entries, events: max(min(fitting, even, PublicationBasis.goodEvents), resources.leastPiece))
    }
}
