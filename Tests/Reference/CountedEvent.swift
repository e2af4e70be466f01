/// An event of a partition, and whether it counts.
struct CountedEvent {
    let event: PartitionEvent
    /// Its time in the pipeline's zone.
    let local: LocalTime
    let counts: Bool

    var hit: Hit { event.hit }
}

extension [CountedEvent] {
    /// The columns `events` and `duplicates`.
    var counts: OutputRow {
        let counting = count(where: \.counts)
        return [.integer(counting), .integer(map(\.event.records).reduce(0, +) - counting)]
    }
}
