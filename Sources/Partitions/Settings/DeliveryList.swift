import Events

/// What delivery files say, merged by delivery. A row takes about 30 bytes and the bytes of its texts.
///
/// Rows stay as they came, packed one after the other, and an index of them is sorted by delivery. The rows of a
/// delivery are merged each time it is read.
package struct DeliveryList: Sendable {
    /// A row of a delivery file.
    private struct Entry {
        /// The first bytes of the id, padded with zeros. Ids have no bytes of 0.
        package let prefix: UInt64
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

    package func makeIterator() -> Iterator {
        assert(isSorted)
        return Iterator(list: self)
    }
}

/// What the delivery files say about a delivery. A value that they leave empty is nil.
package struct Delivery: Equatable, Sendable {
    /// The messages of one platform, or of all.
    package struct Counts: Equatable, Sendable {
        /// Nil stands for all platforms.
        package let platform: Platform?
        package var sent: Int?
        package var delivered: Int?
    }

    /// In its normal form.
    package let id: String
    package var label: String?
    package var campaign: String?
    package var variant: String?
    /// In milliseconds since 1970.
    package var sentAt: Int64?
    /// By platform, all platforms first; never empty.
    package private(set) var counts: [Counts]

    /// What one row of a file says.
    package init(
        id: String, platform: Platform?, label: String? = nil, campaign: String? = nil, variant: String? = nil,
        sentAt: Int64? = nil, sent: Int? = nil, delivered: Int? = nil
    ) {
        self.id = id
        self.label = label
        self.campaign = campaign
        self.variant = variant
        self.sentAt = sentAt
        counts = [Counts(platform: platform, sent: sent, delivered: delivered)]
    }

    /// Takes over the values that a later row gives.
    package mutating func update(from row: Delivery) {
        label = row.label ?? label
        campaign = row.campaign ?? campaign
        variant = row.variant ?? variant
        sentAt = row.sentAt ?? sentAt
        for new in row.counts {
            if let index = counts.firstIndex(where: { $0.platform == new.platform }) {
                counts[index].sent = new.sent ?? counts[index].sent
                counts[index].delivered = new.delivered ?? counts[index].delivered
            } else {
                counts.insert(new, at: counts.firstIndex { new.rank < $0.rank } ?? counts.endIndex)
            }
        }
    }

    /// The messages sent to all platforms: those of the row without a platform, else the sum of those that are known. Nil
    /// also if the sum is above 2^63 − 1, the largest integer of SQLite.
    package var sent: Int? { total(\.sent) }
    /// The same for those delivered.
    package var delivered: Int? { total(\.delivered) }

    /// Whether `sent` or `delivered` is nil because the sum is too large.
    package var isUncountable: Bool {
        [\Counts.sent, \.delivered].contains { column in
            total(column) == nil && counts.contains { $0[keyPath: column] != nil }
        }
    }

    private func total(_ column: KeyPath<Counts, Int?>) -> Int? {
        // The row of all platforms is the first.
        if let first = counts.first, first.platform == nil, let total = first[keyPath: column] { return total }
        var total: Int?
        for count in counts.compactMap({ $0[keyPath: column] }) {
            let (sum, isTooLarge) = (total ?? 0).addingReportingOverflow(count)
            if isTooLarge { return nil }
            total = sum
        }
        return total
    }
}

extension Delivery.Counts {
    fileprivate var rank: Int { platform.map { Int($0.rawValue) } ?? -1 }
}

/// Rows of delivery files as bytes, one after the other:
///
///     06 64353766 6436   the id, after its length
///     03                 the platform: 0 for all, else 1 and its number
///     02                 which numbers follow: 1 sent_at, 2 sent, 4 delivered
///     96 01              sent: 150
///     04 57617665        label, campaign and variant, each after its length
///     00 00
///
/// Lengths and numbers have 7 bits a byte, lowest first; all bytes but the last have the highest bit.
struct PackedDeliveries: Sendable {
    private var bytes: [UInt8] = []

    var count: Int { bytes.count }

    /// Begins a row. `label`, `campaign` and `variant` must follow.
    mutating func append(id: Span<UInt8>, platform: Platform?, sentAt: Int64?, sent: Int?, delivered: Int?) {
        append(id)
        bytes.append(platform.map { $0.rawValue + 1 } ?? 0)
        bytes.append((sentAt == nil ? 0 : 1) | (sent == nil ? 0 : 2) | (delivered == nil ? 0 : 4))
        if let sentAt { append(number: UInt64(bitPattern: sentAt)) }
        if let sent { append(number: UInt64(sent)) }
        if let delivered { append(number: UInt64(delivered)) }
    }

    mutating func append(_ text: Span<UInt8>) {
        append(number: UInt64(text.count))
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// What a row says.
    func delivery(at offset: Int) -> Delivery {
        var offset = offset
        let id = text(&offset) ?? ""
        let (platform, numbers) = (bytes[offset], bytes[offset + 1])
        offset += 2
        let sentAt = numbers & 1 == 0 ? nil : Int64(bitPattern: number(&offset))
        let sent = numbers & 2 == 0 ? nil : Int(number(&offset))
        let delivered = numbers & 4 == 0 ? nil : Int(number(&offset))
        return Delivery(
            id: id, platform: platform == 0 ? nil : Platform(rawValue: platform - 1), label: text(&offset),
            campaign: text(&offset), variant: text(&offset), sentAt: sentAt, sent: sent, delivered: delivered)
    }

    /// The order of the ids of two rows, byte by byte: negative, 0 or positive.
    func order(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        let (first, second) = (bytes.span.extracting(range(&a)), bytes.span.extracting(range(&b)))
        for index in 0..<min(first.count, second.count) where first[index] != second[index] {
            return first[index] < second[index] ? -1 : 1
        }
        return first.count - second.count
    }

    /// The text at an offset, which is moved past it; nil if it is empty.
    private func text(_ offset: inout Int) -> String? {
        let range = range(&offset)
        return range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
    }

    private func range(_ offset: inout Int) -> Range<Int> {
        let count = Int(number(&offset))
        offset += count
        return offset - count..<offset
    }

    @inline(__always)
    private func number(_ offset: inout Int) -> UInt64 {
        if bytes[offset] < 0x80 {
            offset += 1
            return UInt64(bytes[offset - 1])
        }
        return longNumber(&offset)
    }

    private func longNumber(_ offset: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
