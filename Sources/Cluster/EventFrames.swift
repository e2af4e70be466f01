import Events
import Warehouse

/// Shares the events of a file out over the shards, and writes them as frames. A frame has events of one section.
struct EventFrames {
    /// The most events of a frame. Their blocks take less than half of it.
    private static let mostEvents = 1 << 15
    /// The most bytes of delivery ids in a frame. In JSON they may take twice as many.
    private static let mostNameBytes = 1 << 19

    private let shards: Shards
    private let writer: FrameWriter
    /// The delivery ids of all events, sorted by their bytes.
    private let deliveries: [String]
    /// The most events of a frame of this file.
    private let eventsPerFrame: Int
    /// The events in memory, of all shards together, that may be kept.
    private let capacity: Int
    private var held = 0
    private var section = 0
    private var seed: UInt64 = 0
    /// By shard.
    private var events: [[Event]]
    /// By shard, the label of the next frame.
    private var labels: [Frame.Label]
    /// By shard, the accepted records.
    private(set) var records: [Int]
    private var encoder = EventBlockEncoder()

    /// - Parameters:
    ///   - label: that of the file.
    ///   - memory: bytes for the events in memory.
    init(_ label: Frame.Label, deliveries: [String], memory: Int, to writer: FrameWriter) {
        shards = Shards(label.job.shards)
        self.writer = writer
        self.deliveries = deliveries
        let longest = deliveries.lazy.map(\.utf8.count).max() ?? 0
        eventsPerFrame = max(1, min(EventFrames.mostEvents, EventFrames.mostNameBytes / (longest + 1)))
        capacity = max(EventBlock.capacity, memory / MemoryLayout<Event>.stride)
        events = Array(repeating: [], count: shards.count)
        labels = Array(repeating: label, count: shards.count)
        records = Array(repeating: 0, count: shards.count)
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
            if events[shard].count == eventsPerFrame { try write(shard) }
        }
        if held >= capacity { try endSection() }
    }

    /// Writes what is in memory.
    mutating func endSection() throws {
        for shard in events.indices where !events[shard].isEmpty { try write(shard) }
    }

    private mutating func write(_ shard: Int) throws {
        var events = events[shard]
        self.events[shard] = []
        held -= events.count
        let used = Set(events.map(\.delivery)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(used, UInt32(0)...))
        for index in events.indices {
            events[index].delivery = numbers[events[index].delivery] ?? 0
            records[shard] += Int(events[index].records)
        }
        let blocks = stride(from: 0, to: events.count, by: EventBlock.capacity).map { start in
            encoder.encode(events[start..<min(start + EventBlock.capacity, events.count)].span).bytes
        }
        labels[shard].blocks = Frame.Label.Blocks(
            section: section, deliveries: used.map { deliveries[Int($0)] }, bytes: blocks.map(\.count))
        try writer.write(
            Frame(kind: .events, key: UInt32(shard), label: labels[shard], content: Array(blocks.joined())))
        labels[shard].number += 1
    }
}
