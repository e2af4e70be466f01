import Events
import Partitions
import Records

/// Collects what the records of a file call deliveries: of each delivery and kind of name that of the first record.
struct NameCollector {
    private struct Key: Hashable {
        let delivery: UInt32
        let kind: NameKind
    }

    private var first: [Key: (time: Int64, text: [UInt8])] = [:]

    /// - Parameter time: of the record.
    mutating func add(_ name: FoundName, of delivery: UInt32, time: Int64) {
        let key = Key(delivery: delivery, kind: name.kind)
        if let known = first[key] {
            guard time < known.time || time == known.time && name.text.lexicographicallyPrecedes(known.text) else {
                return
            }
        }
        first[key] = (time, name.text)
    }

    /// In one order, since another attempt of a task must give the same bytes.
    /// - Parameter deliveries: those that the numbers refer to.
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
