import Events

/// A part of a section: the ids from `lower` up to, not including, `upper`; nil is no bound. Ranges can be worked on
/// at the same time, since all events of a message lie in one.
struct KeyRange: Sendable {
    let section: Section
    let lower: EventID?
    let upper: EventID?

    func holds(_ id: EventID) -> Bool {
        lower.map { id >= $0 } ?? true && upper.map { id < $0 } ?? true
    }

    /// Cuts all sections that have blocks into ranges of about `events` events, counted over all partitions.
    static func cut(_ places: [[Section: [BlockPlace]]], events: Int) -> [KeyRange] {
        var ranges: [KeyRange] = []
        for section in Set(places.flatMap(\.keys)).sorted() {
            let blocks = places.flatMap { $0[section] ?? [] }.sorted { $0.first < $1.first }
            guard !blocks.isEmpty else { continue }
            var lower: EventID?
            var filled = 0
            for block in blocks {
                if filled >= events, lower.map({ $0 < block.first }) ?? (blocks[0].first < block.first) {
                    ranges.append(KeyRange(section: section, lower: lower, upper: block.first))
                    lower = block.first
                    filled = 0
                }
                filled += block.events
            }
            ranges.append(KeyRange(section: section, lower: lower, upper: nil))
        }
        return ranges
    }
}
