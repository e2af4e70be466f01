/// Gathers the events of one worker's files, section by section, in bounded memory: a full buffer becomes a compact run.
/// Where those fill the memory, they are merged into one run of blocks in a spill file; where such runs become many,
/// several are merged into one, since merging takes a block of each at a time.
///
/// A file's events join the rest when `commitFile` says that it has ended well; `rollbackFile` forgets them.
package struct EventCollector {
    /// Bytes that one buffered event takes: itself, and the sorter's scratch.
    private static let bytesPerBufferedEvent = MemoryLayout<Event>.stride + MemoryLayout<FullItem>.stride
    /// So many events' items stay in the second cache level while they are sorted.
    private static let bufferedEvents = 1 << 15

    package private(set) var deliveries = DeliveryTable()

    private let worker: Int
    private let spillFolder: String
    /// Events of a buffer before it becomes a run.
    private let runCapacity: Int
    /// Bytes that runs may take in memory.
    private let runMemory: Int
    /// Runs of one level that are merged into one of the next.
    private let fanIn: Int
    private var buffers: [Buffer]
    private var sorter = CompactSorter()
    private var memoryInUse = 0

    private struct Buffer {
        var events = EventBuffer()
        /// Events before this one are of files that have ended well.
        var committed = 0
        var runs: [EventRun] = []
        /// Runs of the file that is being read.
        var pending: [EventRun] = []
    }

    /// `memory` is the bytes that this worker may hold, `spillFolder` an existing folder for what goes beyond.
    package init(worker: Int, sections: Int, memory: Int, spillFolder: String) {
        // An eighth of the memory for the blocks that are unpacked while all are merged.
        let fanIn = max(16, memory / 8 / (EventBlock.capacity * MemoryLayout<Event>.stride))
        self.init(worker: worker, sections: sections, memory: memory, spillFolder: spillFolder, fanIn: fanIn)
    }

    init(worker: Int, sections: Int, memory: Int, spillFolder: String, fanIn: Int) {
        self.worker = worker
        self.spillFolder = spillFolder
        buffers = Array(repeating: Buffer(), count: sections)
        let affordable = memory / 3 / EventCollector.bytesPerBufferedEvent / max(1, min(sections, 4))
        runCapacity = min(max(affordable, EventBlock.capacity), EventCollector.bufferedEvents)
        runMemory = memory / 2
        self.fanIn = fanIn
    }

    /// Adds one record as an event of its own.
    package mutating func append(_ event: Event, section: Int) {
        buffers[section].events.append(event)
    }

    /// Adds records that were found in `bytes`, each as an event of its own.
    ///
    /// - Parameter firstSection: that of the source's hex ids; those of UUIDs and opaque ids follow it.
    package mutating func append(
        _ found: Span<FoundEvent>, in bytes: Span<UInt8>, source: UInt16, firstSection: Int
    ) {
        var start = 0
        while start < found.count {
            let kind = found[start].kind
            var end = start &+ 1
            while end < found.count && found[end].kind == kind { end &+= 1 }
            buffers[firstSection &+ Int(kind.rawValue)].events.append(
                found.extracting(start..<end), in: bytes, source: source, &deliveries)
            start = end
        }
    }

    package mutating func delivery(_ bytes: Span<UInt8>) -> UInt32 {
        deliveries.index(of: bytes)
    }

    /// To be called every few thousand events.
    package mutating func packIfFull() throws {
        for section in buffers.indices where buffers[section].events.count >= runCapacity {
            try pack(section)
        }
    }

    package mutating func commitFile() {
        for section in buffers.indices {
            buffers[section].committed = buffers[section].events.count
            buffers[section].runs += buffers[section].pending
            buffers[section].pending = []
        }
    }

    package mutating func rollbackFile() {
        for section in buffers.indices {
            let extra = buffers[section].events.count - buffers[section].committed
            buffers[section].events.removeLast(extra)
            memoryInUse -= buffers[section].pending.reduce(0) { $0 + $1.memory }
            buffers[section].pending = []
        }
    }

    /// Packs what is left; answers the runs of each section. All files must be committed.
    package mutating func finish() throws -> [[EventRun]] {
        for section in buffers.indices {
            try pack(section)
            buffers[section].events = EventBuffer()
        }
        return buffers.map(\.runs)
    }

    private mutating func pack(_ section: Int) throws {
        let committed = buffers[section].committed
        if let run = makeRun(section, 0..<committed) { buffers[section].runs.append(run) }
        if let run = makeRun(section, committed..<buffers[section].events.count) {
            buffers[section].pending.append(run)
        }
        buffers[section].events.removeAll()
        buffers[section].committed = 0
        guard memoryInUse > runMemory else { return }
        for section in buffers.indices {
            buffers[section].runs = try spilled(buffers[section].runs)
            buffers[section].pending = try spilled(buffers[section].pending)
        }
    }

    private mutating func makeRun(_ section: Int, _ range: Range<Int>) -> EventRun? {
        guard !range.isEmpty else { return nil }
        let events = buffers[section].events
        let run = sorter.run(of: events.span.extracting(range))
        memoryInUse += run.memory
        return EventRun(worker: worker, content: .compact(run))
    }

    /// The runs, those in memory merged into one of blocks, and those of a level into one of the next wherever they are
    /// `fanIn`.
    private mutating func spilled(_ runs: [EventRun]) throws -> [EventRun] {
        var runs = runs
        var level = 0
        while level <= runs.map(\.level).max() ?? -1 {
            let many = runs.filter { $0.level == level }
            if many.count >= (level == 0 ? 1 : fanIn) {
                // A file of its own, so that the room is given back once the run itself has been merged.
                let merged = try RunMerger(many, deliveries: deliveries).merged(
                    into: try SpillFile(folder: spillFolder))
                memoryInUse -= many.reduce(0) { $0 + $1.memory }
                runs.removeAll { $0.level == level }
                runs.append(EventRun(worker: worker, content: .blocks(merged)))
            }
            level += 1
        }
        return runs
    }
}
