import Reference

/// One body in the making, and what its elements are going to mean; used again for the next body.
struct TrackBody {
    /// The elements of each list, as texts.
    private var lists: [(name: String, elements: [Bytes])] = [
        ("\"attributes\":", []), ("\"events\":", []), ("\"purchases\":", []),
    ]
    /// Its elements; nil for those that are no events.
    private(set) var payloads: [Payload?] = []
    private var order: UInt64 = 0

    var count: Int { payloads.count }

    /// Begins the next body; `key` decides what stands before the lists, and whether empty ones are there.
    mutating func begin(key: Message) {
        order = key.notification
        payloads.removeAll(keepingCapacity: true)
        for index in lists.indices { lists[index].elements.removeAll(keepingCapacity: true) }
    }

    mutating func add(_ event: Payload, user: Int) {
        var text = Bytes()
        text.reserveCapacity(256)
        event.writeEvent(ofUser: user, into: &text)
        lists[1].elements.append(text)
        payloads.append(event)
    }

    mutating func addPurchase(of product: String, user: Int, at time: Int) {
        let sold = "\"product_id\":\"\(product)\",\"currency\":\"EUR\",\"price\":19.99,\"quantity\":1"
        let (time, _) = TimeText.zulu.spell(time)
        lists[2].elements.append(Bytes("{\"external_id\":\"user-\(user)\",\(sold),\"time\":\(time)}"))
        payloads.append(nil)
    }

    mutating func addAttributes(ofUser user: Int, areVisits: Bool) {
        let attributes =
            areVisits
            ? "\"visits\":{\"inc\":1},\"tags\":{\"add\":[\"otoño\"]},\"phone\":null"
            : "\"email\":\"user\(user)@example.com\",\"home_city\":\"Málaga\""
        lists[0].elements.append(Bytes("{\"external_id\":\"user-\(user)\",\(attributes)}"))
        payloads.append(nil)
    }

    /// `pretty`: over several lines.
    func write(pretty: Bool, into text: inout Bytes) {
        func begin(_ name: String) {
            text.appendComma()
            if pretty { text.append("\n  ") }
            text.append(name)
            if pretty { text.append(" ") }
        }
        text.append("{")
        if order & 7 == 0 {
            begin("\"partner\":")
            text.append("\"ExampleSender\"")
        } else if order & 7 == 1 {
            begin("\"api_key\":")
            text.append("\"00000000-0000-0000-0000-000000000000\"")
        }
        for list in lists where !list.elements.isEmpty || order & 24 == 0 {
            begin(list.name)
            text.append("[")
            for (index, element) in list.elements.enumerated() {
                if index > 0 { text.append(",") }
                if pretty { text.append("\n    ") }
                text += element
            }
            if pretty, !list.elements.isEmpty { text.append("\n  ") }
            text.append("]")
        }
        text.append(pretty ? "\n}" : "}")
    }
}
