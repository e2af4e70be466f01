import SQLite

/// A name that events give a delivery. Of each source, the partition keeps that of its first record: by time, then by the bytes of
/// the name.
package struct DeliveryName: Codable, Equatable, Sendable {
    /// What is named; a column of deliveries.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case label, campaign, variant
    }

    package let delivery: String
    package let source: String
    package let kind: Kind
    /// Of the record, in milliseconds since 1970.
    package let time: Int64
    /// Not empty.
    package let text: String

    package init(of delivery: String, from source: String, _ kind: Kind, _ text: String, time: Int64) {
        (self.delivery, self.source, self.kind, self.text, self.time) = (delivery, source, kind, text, time)
    }

    /// Whether it stands against another name of the same delivery and kind.
    /// - Parameter ranks: the ranks of the sources.
    func precedes(_ other: DeliveryName, ranks: [String: Int]) -> Bool {
        if time != other.time { return time < other.time }
        let (rank, otherRank) = (ranks[source] ?? .max, ranks[other.source] ?? .max)
        if rank != otherRank { return rank < otherRank }
        return text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    var values: [DatabaseValue] { .of(delivery, source, kind.rawValue, time, text) }
}

extension [DeliveryName] {
    /// By delivery, the names that stand.
    /// - Parameter sources: in the order of the pipeline file. Others come after them, by their names.
    package func standing(sources: [String]) -> [String: [DeliveryName.Kind: String]] {
        let others = Set(map(\.source)).subtracting(sources).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let ranks = Dictionary((sources + others).enumerated().map { ($1, $0) }) { first, _ in first }
        var first: [String: [DeliveryName.Kind: DeliveryName]] = [:]
        for name in self where first[name.delivery]?[name.kind].map({ name.precedes($0, ranks: ranks) }) ?? true {
            first[name.delivery, default: [:]][name.kind] = name
        }
        return first.mapValues { $0.mapValues(\.text) }
    }
}
