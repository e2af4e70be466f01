/// Collects the events of one worker's files by section, in bounded memory.
///
/// Events are gathered in a buffer per section. A full buffer becomes a compact run in memory. When the compact runs
/// fill the memory, they are merged into one run of blocks in a spill file. When there are many runs of blocks, several
/// are merged into one, because a merge keeps a decoded block of each run in memory.
///
/// The events of a file are pending until `commitFile` keeps them or `rollbackFile` drops them.
package struct EventCollector {
    /// The bytes per buffered event: the event, and the two words that sort it.
    private static let bytesPerBufferedEvent = MemoryLayout<Event>.stride + 2 * MemoryLayout<UInt64>.stride
    /// The largest buffer. The events of a larger one would leave the second-level cache while they are sorted.
    private static let bufferedEvents = 1 << 15

    /// The delivery ids of the events, and their numbers.
    package private(set) var deliveries = DeliveryTable()

    private let worker: Int
    private let spillFolder: String
    /// The events of a buffer that becomes a run.
    private let runCapacity: Int
    /// The events that a buffer usually has at most: it is packed some thousand events after it is full.
    private var bufferCapacity: Int { runCapacity + 4096 }
    /// The bytes that compact runs may take.
    private let runMemory: Int
    /// Bytes of the memory that something else has for a while.
    package var lent = 0
    /// The number of runs of one level that are merged into a run of the next level.
    private let fanIn: Int
    private var buffers: [Buffer]
    private var order = EventOrder()
    private var memoryInUse = 0
    /// By level, the file that gets the next runs. Its room is free again as soon as its runs have been merged.
    private var files: [Int: SpillFile] = [:]

    private struct Buffer {
        var events: [Event] = []
        /// The number of committed events, at the front of `events`.
        var committed = 0
        /// Committed runs.
        var runs: [EventRun] = []
        /// The runs of the current file.
        var pending: [EventRun] = []

        /// Makes room for a full buffer, so that it does not grow step by step. Memory that is not used costs nothing.
        @inline(__always)
        mutating func reserve(_ capacity: Int) {
            if events.isEmpty { events.reserveCapacity(capacity) }
        }

        /// Adds records that were found in `bytes`. Their delivery ids get their numbers from `deliveries`.
        mutating func append(
            _ found: Span<FoundEvent>, in bytes: Span<UInt8>, source: UInt16, deliveries: inout DeliveryTable
        ) {
            events.append(addingCapacity: found.count) { output in
                for index in found.indices {
                    let start = found[index].delivery
                    let delivery = bytes.extracting(start..<start &+ Int(found[index].deliveryCount))
                    output.append(
                        Event(
                            id: found[index].id, time: found[index].time, delivery: deliveries.index(of: delivery),
                            source: source, action: found[index].action, platform: found[index].platform))
                }
            }
        }
    }

    /// - Parameters:
    ///   - worker: the index of this worker, which its runs carry.
    ///   - sections: the number of sections.
    ///   - memory: the bytes that this worker may hold.
    ///   - spillFolder: an existing folder for spill files.
    ///   - fanIn: the number of runs to merge into one; nil chooses it by the memory.
    package init(worker: Int, sections: Int, memory: Int, spillFolder: String, fanIn: Int? = nil) {
        self.worker = worker
        self.spillFolder = spillFolder
        buffers = Array(repeating: Buffer(), count: sections)
        let affordable = memory / 3 / EventCollector.bytesPerBufferedEvent / max(1, min(sections, 4))
        runCapacity = min(max(affordable, EventBlock.capacity), EventCollector.bufferedEvents)
        runMemory = memory / 2
        // An eighth of the memory holds the decoded blocks of a merge.
        self.fanIn = fanIn ?? max(16, memory / 8 / (EventBlock.capacity * MemoryLayout<Event>.stride))
    }

    /// Adds one record as an event. `event.delivery` is a number from `delivery(_:)`.
    package mutating func append(_ event: Event, section: Int) {
        buffers[section].reserve(bufferCapacity)
        buffers[section].events.append(event)
    }

    /// Adds records that were found in `bytes`, each as an event.
    ///
    /// - Parameter firstSection: the section of the source's hex ids. The sections of its UUIDs and opaque ids follow.
    package mutating func append(
        _ found: Span<FoundEvent>, in bytes: Span<UInt8>, source: UInt16, firstSection: Int
    ) {
        var start = 0
        while start < found.count {
            let kind = found[start].kind
            var end = start &+ 1
            while end < found.count && found[end].kind == kind { end &+= 1 }
            let section = firstSection &+ Int(kind.rawValue)
            buffers[section].reserve(bufferCapacity)
            buffers[section].append(found.extracting(start..<end), in: bytes, source: source, deliveries: &deliveries)
            start = end
        }
    }

    /// Adds events of a committed file, which may have several records each and numbers of deliveries from
    /// `delivery(_:)`. They become a run at once. Throws `Fault`.
    package mutating func append(run events: Span<Event>, section: Int) throws {
        buffers[section].runs.append(counted(EventRun(worker: worker, events: events, sortedBy: &order)))
        try spillIfFull()
    }

    /// The number of a delivery id.
    package mutating func delivery(_ bytes: Span<UInt8>) -> UInt32 {
        deliveries.index(of: bytes)
    }

    /// Turns full buffers into runs. Call it every few thousand events. Throws `Fault`.
    package mutating func packIfFull() throws {
        for section in buffers.indices where buffers[section].events.count >= runCapacity {
            try pack(section)
        }
    }

    /// Keeps the events of the current file.
    package mutating func commitFile() {
        for section in buffers.indices {
            buffers[section].committed = buffers[section].events.count
            buffers[section].runs += buffers[section].pending
            buffers[section].pending = []
        }
    }

    /// Drops the events of the current file.
    package mutating func rollbackFile() {
        for section in buffers.indices {
            let uncommitted = buffers[section].events.count - buffers[section].committed
            buffers[section].events.removeLast(uncommitted)
            guard !buffers[section].pending.isEmpty else { continue }
            memoryInUse -= buffers[section].pending.reduce(0) { $0 + $1.memory }
            buffers[section].pending = []
            files = [:]
        }
    }

    /// Packs the remaining events and returns the runs of each section. All files must be committed. Throws
    /// `Fault`.
    package mutating func finish() throws -> [[EventRun]] {
        for section in buffers.indices {
            try pack(section)
            buffers[section].events = []
        }
        return buffers.map(\.runs)
    }

    private mutating func pack(_ section: Int) throws {
        let committed = buffers[section].committed
        if let run = makeRun(of: section, in: 0..<committed) { buffers[section].runs.append(run) }
        if let run = makeRun(of: section, in: committed..<buffers[section].events.count) {
            buffers[section].pending.append(run)
        }
        buffers[section].events.removeAll(keepingCapacity: true)
        buffers[section].committed = 0
        try spillIfFull()
    }

    private mutating func makeRun(of section: Int, in range: Range<Int>) -> EventRun? {
        guard !range.isEmpty else { return nil }
        let events = buffers[section].events
        return counted(EventRun(worker: worker, events: events.span.extracting(range), sortedBy: &order))
    }

    private mutating func counted(_ run: EventRun) -> EventRun {
        memoryInUse += run.memory
        return run
    }

    private mutating func spillIfFull() throws {
        guard memoryInUse > max(runMemory - lent, runMemory / 4) else { return }
        for section in buffers.indices {
            buffers[section].runs = try spilled(buffers[section].runs)
            buffers[section].pending = try spilled(buffers[section].pending)
        }
    }

    /// Merges all runs in memory (level 0) into one run of blocks, and any `fanIn` or more runs of a level into one of
    /// the next level.
    private mutating func spilled(_ runs: [EventRun]) throws -> [EventRun] {
        var runs = runs
        var level = 0
        while level <= runs.map(\.level).max() ?? -1 {
            let inputs = runs.filter { $0.level == level }
            if inputs.count >= (level == 0 ? 1 : fanIn) {
                let file = try files[level + 1] ?? SpillFile(folder: spillFolder)
                files[level + 1] = file
                let merged = try RunMerger(inputs, renumbering: nil, deliveryPrecedes: deliveries.precedes)
                    .merged(into: file)
                memoryInUse -= inputs.reduce(0) { $0 + $1.memory }
                runs.removeAll { $0.level == level }
                runs.append(EventRun(worker: worker, content: .blocks(merged)))
                files[level] = nil
            }
            level += 1
        }
        return runs
    }
}
