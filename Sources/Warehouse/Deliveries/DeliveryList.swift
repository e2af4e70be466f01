import Events

/// What delivery files say, merged by delivery. A row takes about 30 bytes and the bytes of its texts.
///
/// Rows stay as they came, packed one after the other, and an index of them is sorted by delivery. The rows of a
/// delivery are merged each time it is read.
package struct DeliveryList: Sendable {
    /// A row of a delivery file.
    private struct Entry {
        /// The first bytes of the id, padded with zeros. Ids have no bytes of 0.
        let prefix: UInt64
        /// Where the row begins in `rows`.
        let offset: Int
    }

    private var rows = PackedDeliveries()
    /// Sorted by the bytes of their ids, then in the order in which they were added.
    private var entries: [Entry] = []
    private var isSorted = true

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a row. Where it has values, they replace those of earlier rows. An empty text is no value. Call `sort` after
    /// the last row.
    package mutating func add(
        id: Span<UInt8>, platform: Platform?, label: Span<UInt8>, campaign: Span<UInt8>, variant: Span<UInt8>,
        sentAt: Int64?, sent: Int?, delivered: Int?
    ) {
        let entry = Entry(prefix: DeliveryList.prefix(id), offset: rows.count)
        rows.append(id: id, platform: platform, sentAt: sentAt, sent: sent, delivered: delivered)
        rows.append(label)
        rows.append(campaign)
        rows.append(variant)
        if let last = entries.last { isSorted = isSorted && !DeliveryList.precedes(entry, last, in: rows) }
        entries.append(entry)
    }

    /// Sorts the rows, so that the list can be read.
    package mutating func sort() {
        if isSorted { return }
        let rows = rows
        entries.sort { DeliveryList.precedes($0, $1, in: rows) }
        isSorted = true
    }

    /// The delivery whose first row has this index; then, the index is that of the next delivery.
    private func delivery(at index: inout Int) -> Delivery? {
        guard index < entries.count else { return nil }
        var delivery = rows.delivery(at: entries[index].offset)
        index += 1
        while index < entries.count, isSameDelivery(index - 1, index) {
            delivery.update(from: rows.delivery(at: entries[index].offset))
            index += 1
        }
        return delivery
    }

    private func isSameDelivery(_ a: Int, _ b: Int) -> Bool {
        entries[a].prefix == entries[b].prefix && rows.order(entries[a].offset, entries[b].offset) == 0
    }

    private static func precedes(_ a: Entry, _ b: Entry, in rows: PackedDeliveries) -> Bool {
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        let order = rows.order(a.offset, b.offset)
        return order != 0 ? order < 0 : a.offset < b.offset
    }

    private static func prefix(_ id: Span<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<Swift.min(8, id.count) { prefix |= UInt64(id[index]) << UInt64(56 - 8 * index) }
        return prefix
    }
}

extension DeliveryList: Sequence {
    /// Gives the deliveries in the order of the bytes of their ids.
    package struct Iterator: IteratorProtocol {
        fileprivate let list: DeliveryList
        fileprivate var index = 0

        package mutating func next() -> Delivery? { list.delivery(at: &index) }
    }

    package func makeIterator() -> Iterator { Iterator(list: self) }
}
