import Events
import SQLite

/// A name that events give a delivery. For each source, delivery and kind of name, the partition keeps the name in the
/// earliest record. Of equal times, the name whose bytes come first counts.
package struct DeliveryName: Codable, Equatable, Sendable {
    package let delivery: String
    package let source: String
    package let kind: NameKind
    /// The time of the record, in milliseconds since 1970.
    package let time: Int64
    /// Not empty.
    package let text: String

    package init(of delivery: String, from source: String, kind: NameKind, text: String, time: Int64) {
        self.delivery = delivery
        self.source = source
        self.kind = kind
        self.text = text
        self.time = time
    }

    /// Whether this name counts and not the other one, which is of the same delivery and kind.
    /// - Parameter ranks: the ranks of the sources.
    func precedes(_ other: DeliveryName, ranks: [String: Int]) -> Bool {
        if time != other.time { return time < other.time }
        let rank = ranks[source] ?? .max
        let otherRank = ranks[other.source] ?? .max
        if rank != otherRank { return rank < otherRank }
        return text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    var values: [DatabaseValue] { .of(delivery, source, kind.rawValue, time, text) }
}

// Texts are compared by bytes, since Swift's `==` treats some different byte sequences as equal.

extension [DeliveryName] {
    /// The name that counts for each delivery, source and kind, sorted by these.
    package var firstOfEachSource: [DeliveryName] {
        var names: [[UInt8]: DeliveryName] = [:]
        for name in self {
            let text = [name.delivery, name.source, name.kind.rawValue].joined(separator: "\0")
            let key = [UInt8](text.utf8)
            if let known = names[key], !name.precedes(known, ranks: [:]) { continue }
            names[key] = name
        }
        return names.sorted { a, b in a.key.lexicographicallyPrecedes(b.key) }.map(\.value)
    }

    /// The names that count for each delivery.
    /// - Parameter sources: in the order of the pipeline file. Others come after them, by their names.
    package func standing(sources: [String]) -> [(delivery: String, names: [NameKind: String])] {
        let ranks = Dictionary(zip(Set(map(\.source)).ordered(as: sources), 0...)) { first, _ in first }
        var first: [[UInt8]: [NameKind: DeliveryName]] = [:]
        for name in self {
            let id = [UInt8](name.delivery.utf8)
            if let known = first[id]?[name.kind], !name.precedes(known, ranks: ranks) { continue }
            first[id, default: [:]][name.kind] = name
        }
        return first.map { (delivery: String(decoding: $0, as: UTF8.self), names: $1.mapValues(\.text)) }
    }
}
