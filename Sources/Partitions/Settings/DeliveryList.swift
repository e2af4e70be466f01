import Events

/// The content of the delivery files, merged by delivery.
package struct DeliveryList: Sendable {
    private var numbers = DeliveryTable()
    /// By the numbers that `numbers` gives the ids.
    private var deliveries: [Delivery] = []

    package init() {}

    package var isEmpty: Bool { deliveries.isEmpty }

    /// Adds a row. Where it has values, they replace those of earlier rows. An empty text is no value.
    package mutating func add(
        id: Span<UInt8>, platform: Platform?, label: Span<UInt8>, campaign: Span<UInt8>, variant: Span<UInt8>,
        sentAt: Int64?, sent: Int?, delivered: Int?
    ) {
        func text(_ bytes: Span<UInt8>) -> String? {
            bytes.isEmpty ? nil : bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
        let number = Int(numbers.index(of: id))
        assert(number <= deliveries.count)
        let row = Delivery(
            id: text(id) ?? "", label: text(label), campaign: text(campaign), variant: text(variant), sentAt: sentAt,
            counts: [Delivery.Counts(platform: platform, sent: sent, delivered: delivered)])
        if number < deliveries.count { deliveries[number].update(from: row) } else { deliveries.append(row) }
    }
}

extension DeliveryList: Sequence {
    /// In the order of the bytes of their ids.
    package func makeIterator() -> some IteratorProtocol<Delivery> {
        // Sorting indices takes less memory than a sorted copy.
        deliveries.indices.sorted { a, b in
            deliveries[a].id.utf8.lexicographicallyPrecedes(deliveries[b].id.utf8)
        }.lazy.map { deliveries[$0] }.makeIterator()
    }
}
