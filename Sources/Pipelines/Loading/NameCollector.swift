import Events
import Partitions
import Records

/// Collects the names that the records of a file give deliveries. For each delivery and kind of name, the earliest
/// record counts.
struct NameCollector {
    private struct Key: Hashable {
        let delivery: UInt32
        let kind: NameKind
    }

    private var first: [Key: (time: Int64, text: [UInt8])] = [:]

    /// - Parameter time: the time of the record, in milliseconds. Of equal times, the name whose bytes come first
    ///   counts.
    mutating func add(_ name: FoundName, of delivery: UInt32, time: Int64) {
        let key = Key(delivery: delivery, kind: name.kind)
        if let known = first[key] {
            guard time < known.time || time == known.time && name.text.lexicographicallyPrecedes(known.text) else {
                return
            }
        }
        first[key] = (time, name.text)
    }

    /// The names in a fixed order, since every attempt of a task must give the same bytes.
    /// - Parameter deliveries: the table that numbers the deliveries.
    func names(of deliveries: DeliveryTable, from source: String) -> [DeliveryName] {
        let sorted = first.sorted { a, b in
            (a.key.delivery, a.key.kind.rawValue) < (b.key.delivery, b.key.kind.rawValue)
        }
        return sorted.map { key, name in
            DeliveryName(
                of: deliveries.text(key.delivery), from: source, kind: key.kind,
                text: String(decoding: name.text, as: UTF8.self),
                time: name.time)
        }
    }
}
