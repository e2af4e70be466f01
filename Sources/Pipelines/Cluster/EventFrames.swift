import Events
import Warehouse

/// Shares the events of a file out over the shards, and writes them as frames. A frame has events of one section:
///
///     context, number of the section
///     delivery ids that the events refer to, sorted by their bytes
///     number of blocks; for each block: first and last id (high, low), number of events, bytes
struct EventFrames {
    /// The most events of a frame. Their blocks take less than half of it.
    private static let mostEvents = 1 << 15
    /// The most bytes of delivery ids in a frame.
    private static let mostNames = 1 << 20

    private let shards: Shards
    private let file: Int
    private let key: FrameContext
    private let writer: FrameWriter
    /// The delivery ids of all events, sorted by their bytes.
    private let deliveries: [String]
    /// The events in hand, of all shards together, that may be kept.
    private let capacity: Int
    private var held = 0
    private var section = 0
    private var seed: UInt64 = 0
    /// By shard.
    private var events: [[Event]]
    private var framesWritten: [Int]
    private(set) var totals: [Manifest.Shard]
    private var encoder = EventBlockEncoder()

    /// - Parameter memory: bytes for the events in hand.
    init(
        _ shards: Shards, file: Int, _ context: FrameContext, deliveries: [String], memory: Int, to writer: FrameWriter
    ) {
        self.shards = shards
        self.file = file
        key = context
        self.writer = writer
        self.deliveries = deliveries
        capacity = max(EventBlock.capacity, memory / MemoryLayout<Event>.stride)
        events = Array(repeating: [], count: shards.count)
        framesWritten = Array(repeating: 0, count: shards.count)
        totals = Array(repeating: Manifest.Shard(events: 0, records: 0), count: shards.count)
    }

    /// Begins a section. The sections come in order.
    mutating func begin(_ number: Int, _ section: Section) {
        self.section = number
        seed = Shards.seed(section)
    }

    /// Adds events of the section, which must be above those before.
    mutating func add(_ chunk: Span<Event>) throws {
        for index in chunk.indices {
            let event = chunk[index]
            let shard = shards.shard(of: event.id, seed)
            events[shard].append(event)
            held &+= 1
            if events[shard].count == EventFrames.mostEvents { try write(shard) }
        }
        if held >= capacity { try endSection() }
    }

    /// Writes what is in hand.
    mutating func endSection() throws {
        for shard in events.indices { try write(shard) }
    }

    private mutating func write(_ shard: Int) throws {
        var rest = events[shard][...]
        held -= rest.count
        events[shard] = []
        while !rest.isEmpty {
            let (used, count) = names(of: rest)
            try write(Array(rest.prefix(count)), used, shard)
            rest = rest.dropFirst(count)
        }
    }

    /// The numbers of the deliveries of the first events, sorted, and how many events these are: as many as fit a frame.
    private func names(of events: ArraySlice<Event>) -> (used: [UInt32], count: Int) {
        var used: Set<UInt32> = []
        var bytes = 0
        var count = 0
        for event in events {
            if !used.contains(event.delivery) {
                bytes += deliveries[Int(event.delivery)].utf8.count + 4
                if bytes > EventFrames.mostNames, count > 0 { break }
                used.insert(event.delivery)
            }
            count += 1
        }
        return (used.sorted(), count)
    }

    private mutating func write(_ events: [Event], _ used: [UInt32], _ shard: Int) throws {
        let numbers = Dictionary(uniqueKeysWithValues: zip(used, UInt32(0)...))
        var writer = ByteWriter()
        key.write(to: &writer)
        writer.add(UInt32(section))
        writer.add(used.map { deliveries[Int($0)] })
        let starts = stride(from: 0, to: events.count, by: EventBlock.capacity)
        writer.add(UInt32(events.isEmpty ? 0 : (events.count - 1) / EventBlock.capacity + 1))
        var records = 0
        for start in starts {
            let part = events[start..<min(start + EventBlock.capacity, events.count)].map { event in
                var event = event
                event.delivery = numbers[event.delivery] ?? 0
                records += Int(event.records)
                return event
            }
            let block = encoder.encode(part.span)
            for word in [block.first.high, block.first.low, block.last.high, block.last.low] { writer.add(word) }
            writer.add(UInt32(block.count))
            writer.add(block.bytes)
        }
        try self.writer.write(
            Frame(
                .events, key: UInt32(shard), sender: file, number: framesWritten[shard], count: 0,
                payload: writer.bytes))
        framesWritten[shard] += 1
        totals[shard] = Manifest.Shard(
            events: totals[shard].events + events.count, records: totals[shard].records + records)
    }
}
