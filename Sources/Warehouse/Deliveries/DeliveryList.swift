/// What delivery files say, merged by delivery. It takes about 300 bytes for each delivery.
package struct DeliveryList: Sendable {
    private var deliveries: [Delivery] = []
    private var indices: [ExactText: Int32] = [:]

    package init() {}

    package var isEmpty: Bool { deliveries.isEmpty }

    /// Adds a row. Where it has values, they replace those of earlier rows.
    package mutating func add(_ row: Delivery) {
        if let index = indices[ExactText(row.id)] {
            deliveries[Int(index)].update(from: row)
        } else {
            indices[ExactText(row.id)] = Int32(deliveries.count)
            deliveries.append(row)
        }
    }

    package subscript(id: String) -> Delivery? {
        indices[ExactText(id)].map { deliveries[Int($0)] }
    }

    /// The deliveries by the bytes of their ids.
    package var sorted: [Delivery] {
        deliveries.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }
}
