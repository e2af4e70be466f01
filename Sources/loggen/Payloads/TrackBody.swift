/// One body in the making, and what its elements are going to mean; used again for the next body.
struct TrackBody: ~Copyable {
    /// What each element is going to mean; nil for those that are no events.
    private(set) var truths: [RecordTruth?] = []
    private var attributes = List(name: "\"attributes\":")
    private var events = List(name: "\"events\":")
    private var purchases = List(name: "\"purchases\":")
    private var order: UInt64 = 0

    /// One of a body's lists: the texts of its elements in a row, and where each ends.
    private struct List: ~Copyable {
        let name: StaticString
        var texts = ByteBuffer()
        var ends: [Int] = []

        init(name: StaticString) {
            self.name = name
        }

        mutating func removeAll() {
            texts.removeAll()
            ends.removeAll(keepingCapacity: true)
        }

        mutating func endElement() {
            ends.append(texts.count)
        }
    }

    var count: Int { truths.count }

    /// Begins the next body; `key` decides what stands before the lists, and whether empty ones are there.
    mutating func begin(key: Message) {
        order = SplitMix64.mix(key.mcID ^ UInt64(key.address))
        truths.removeAll(keepingCapacity: true)
        attributes.removeAll()
        events.removeAll()
        purchases.removeAll()
    }

    mutating func add(_ event: TrackEvent) {
        event.write(into: &events.texts)
        events.endElement()
        truths.append(event.truth)
    }

    mutating func addPurchase(of product: StaticString, user: Int, at time: Int) {
        purchases.texts.append("{\"external_id\":\"user-")
        purchases.texts.append(decimal: user)
        purchases.texts.append("\",\"product_id\":\"")
        purchases.texts.append(product)
        purchases.texts.append("\",\"currency\":\"EUR\",\"price\":19.99,\"quantity\":1,\"time\":")
        TimeText.zulu.write(time, into: &purchases.texts)
        purchases.texts.append("}")
        purchases.endElement()
        truths.append(nil)
    }

    mutating func addAttributes(ofUser user: Int, areVisits: Bool) {
        attributes.texts.append("{\"external_id\":\"user-")
        attributes.texts.append(decimal: user)
        if areVisits {
            attributes.texts.append("\",\"visits\":{\"inc\":1},\"tags\":{\"add\":[\"otoño\"]},\"phone\":null}")
        } else {
            attributes.texts.append("\",\"email\":\"user")
            attributes.texts.append(decimal: user)
            attributes.texts.append("@example.com\",\"home_city\":\"Málaga\"}")
        }
        attributes.endElement()
        truths.append(nil)
    }

    func write(pretty: Bool, into text: inout ByteBuffer) {
        text.append("{")
        if order & 7 == 0 {
            Self.begin("\"partner\":", pretty, into: &text)
            text.append("\"ExampleSender\"")
        } else if order & 7 == 1 {
            Self.begin("\"api_key\":", pretty, into: &text)
            text.append("\"00000000-0000-0000-0000-000000000000\"")
        }
        write(attributes, pretty, into: &text)
        write(events, pretty, into: &text)
        write(purchases, pretty, into: &text)
        text.append(pretty ? "\n}" : "}")
    }

    private static func begin(_ name: StaticString, _ pretty: Bool, into text: inout ByteBuffer) {
        text.appendComma()
        if pretty { text.append("\n  ") }
        text.append(name)
        if pretty { text.append(" ") }
    }

    private func write(_ list: borrowing List, _ pretty: Bool, into text: inout ByteBuffer) {
        guard !list.ends.isEmpty || order & 24 == 0 else { return }
        Self.begin(list.name, pretty, into: &text)
        text.append("[")
        var start = 0
        for end in list.ends {
            if start > 0 { text.append(",") }
            if pretty { text.append("\n    ") }
            text.append(UnsafeRawBufferPointer(rebasing: list.texts.bytes[start..<end]))
            start = end
        }
        if pretty, start > 0 { text.append("\n  ") }
        text.append("]")
    }
}
