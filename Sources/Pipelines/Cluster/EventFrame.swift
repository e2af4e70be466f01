import Counting
import Events

/// The content of a frame of events.
struct EventFrame {
    let context: FrameContext
    let section: Int
    let deliveries: [String]
    let blocks: [EventBlock]

    /// - Throws: `ByteReaderError`.
    init(_ frame: Frame) throws(ByteReaderError) {
        var reader = ByteReader(frame.payload)
        context = try FrameContext(&reader)
        section = Int(try reader.number(UInt32.self))
        deliveries = try reader.texts()
        var blocks: [EventBlock] = []
        for _ in 0..<(try reader.number(UInt32.self)) {
            let first = EventID(high: try reader.number(), low: try reader.number())
            let last = EventID(high: try reader.number(), low: try reader.number())
            let count = Int(try reader.number(UInt32.self))
            blocks.append(EventBlock(first: first, last: last, count: count, bytes: try reader.list()))
        }
        self.blocks = blocks
    }

    /// Whether all blocks can be decoded, and their events have names.
    /// - Parameter names: of the sources and actions.
    func hasValidEvents(_ names: EventNames) -> Bool {
        let limits = NameCounts(
            EventNames(sources: names.sources, actions: names.actions, deliveries: deliveries))
        var events: [Event] = []
        return blocks.allSatisfy { block in
            events.removeAll(keepingCapacity: true)
            // The answer says it all.
            return (try? block.decode(appendingTo: &events)) != nil && limits.hold(events.span)
        }
    }
}
