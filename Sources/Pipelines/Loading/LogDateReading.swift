import Calendar
import Counting
import Events
import LogFiles
import Messages
import Partitions
import Records
import Synchronization

/// The content of a log date's files, before the events are merged.
package struct LogDateReading: Sendable {
    /// In the order of the plan's files.
    package let results: [FileResult]
    /// By section index, the sorted runs of all workers.
    package let runs: [[EventRun]]
    /// The delivery table of each worker.
    package let deliveries: [DeliveryTable]

    package init(results: [FileResult], runs: [[EventRun]], deliveries: [DeliveryTable]) {
        self.results = results
        self.runs = runs
        self.deliveries = deliveries
    }
}

extension LogDatePlan {
    /// Reads all files, each on one worker, the largest first. Threads without a file unpack ahead for the others.
    package func read(
        jobs: Int, memory: Int, spillFolder: String, progress: LoadProgress, stop: StopFlag
    ) throws -> LogDateReading {
        let order = files.indices.sorted { files[$0].found.bytes > files[$1].found.bytes }
        let workers = max(1, min(jobs, files.count))
        let idle = Monitor(jobs - workers)
        let windows = Monitor(0)
        let next = Atomic<Int>(0)
        let failed = Atomic<Bool>(false)
        let parts = Fanout.compactMap(jobs: workers, pieces: workers) { number in
            Result { () throws -> WorkerPart in
                defer { idle.change { $0 += 1 } }
                var worker = FileWorker(
                    number: number, plan: self, memory: memory / workers,
                    window: WindowShare(windows, most: memory / 2), spillFolder: spillFolder, idle: idle,
                    progress: progress, stop: stop)
                var part = WorkerPart()
                do {
                    while !failed.load(ordering: .relaxed) {
                        let position = next.add(1, ordering: .relaxed).oldValue
                        guard position < order.count else { break }
                        part.results.append((order[position], try worker.read(files[order[position]])))
                    }
                } catch {
                    failed.store(true, ordering: .relaxed)
                    throw error
                }
                if !failed.load(ordering: .relaxed) { part.end = try worker.finish() }
                return part
            }
        }
        let finished = try parts.map { try $0.get() }
        return LogDateReading(
            results: finished.flatMap(\.results).sorted { $0.file < $1.file }.map(\.result),
            runs: sections.indices.map { section in finished.flatMap { $0.end?.runs[section] ?? [] } },
            deliveries: finished.compactMap(\.end?.deliveries))
    }
}

private struct WorkerPart: Sendable {
    /// The results, each with the index of its file in the plan.
    var results: [(file: Int, result: FileResult)] = []
    /// The sorted runs of each section, and the delivery table that their numbers refer to; nil if a worker has failed.
    var end: (runs: [[EventRun]], deliveries: DeliveryTable)?
}

/// Reads files, one after the other, on one thread; an idle thread may unpack ahead for it. It owns all its buffers.
private struct FileWorker: ByteConsumer {
    private let plan: LogDatePlan
    private let progress: LoadProgress
    private let stop: StopFlag
    private let feed: BlockFeed
    private let window: WindowShare
    private var block = Block()
    private var readers: [RecordReader]
    private var records: RecordTally
    private var source = 0

    init(
        number: Int, plan: LogDatePlan, memory: Int, window: WindowShare, spillFolder: String, idle: Monitor<Int>,
        progress: LoadProgress, stop: StopFlag
    ) {
        self.plan = plan
        self.progress = progress
        self.stop = stop
        self.window = window
        let memoryAhead = min(UnpackingAhead.mostMemory, memory / 4)
        feed = BlockFeed(idle: idle, memory: memoryAhead)
        readers = plan.rules.map { RecordReader($0) }
        records = RecordTally(
            collector: EventCollector(
                worker: number, sections: plan.sections.count, memory: memory - memoryAhead, spillFolder: spillFolder),
            sampleKeys: plan.sampleKeys)
    }

    mutating func read(_ file: InputFile) throws -> FileResult {
        source = file.source
        defer {
            window.exchange(for: 0)
            records.collector.lent = 0
        }
        // If the file is read a second time, its bytes must not count again.
        var progress: LoadProgress? = progress
        let report = try file.naming { location in
            var block = exchange(&block, with: .nothing)
            defer {
                feed.end()
                self.block = block
            }
            return try feed.read(&self, through: &block) { [stop, window] worker, members in
                worker.beginFile(file)
                let counted = exchange(&progress, with: nil)
                try worker.feed.begin(
                    location, bytes: file.found.bytes, members: members,
                    didRead: { count in
                        try stop.check()
                        counted?.update { $0.readBytes += count }
                    }, willTakeWindow: { window.exchange(for: $0) })
            }
        }
        records.collector.commitFile()
        try checkAccounts(of: file)
        var tally = records.tally
        tally.usesZone = readers[source].hasUsedZone
        tally.headerFault = readers[source].headerFault
        let names = records.names.names(
            of: records.collector.deliveries, from: plan.pipeline.sources[source].name)
        return FileResult(file: file, report: report, tally: tally, rejects: records.rejects, names: names)
    }

    /// Discards what was read of the file so far, and begins it again.
    private mutating func beginFile(_ file: InputFile) {
        records.collector.rollbackFile()
        readers[source].beginFile(plan.rules[source])
        records.beginFile(
            file, sourceName: plan.pipeline.sources[source].name, firstSection: plan.firstSections[source])
    }

    /// Returns the sorted runs of each section, and the delivery table that numbers their deliveries.
    mutating func finish() throws -> (runs: [[EventRun]], deliveries: DeliveryTable) {
        (try records.collector.finish(), records.collector.deliveries)
    }

    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int {
        // The zstd window takes memory from the events while the file is read.
        records.collector.lent = window.bytes
        let taken = readers[source].read(bytes, atEnd: atEnd, into: &records)
        try records.collector.packIfFull()
        return taken
    }

    mutating func endCut(_ bytes: Span<UInt8>) throws {
        readers[source].endCut(bytes, into: &records)
    }

    private func checkAccounts(of file: InputFile) throws {
        let tally = records.tally
        let reader = readers[source]
        let parts = tally.accepted + tally.filtered + tally.rejected
        guard tally.records == parts, !reader.countsLines || reader.lines == parts else {
            let count = reader.countsLines ? reader.lines : tally.records
            throw Fault(
                Message(
                    .fileMismatch,
                    text: """
                        \(path: file.found.path): \(count) records, but \(tally.accepted) accepted + \(tally.filtered) filtered \
                        + \(tally.rejected) rejected: a fault of pushetl, please report it; nothing was published
                        """), exitStatus: .internalFault)
        }
    }
}

/// Receives the records of one worker's files. It passes accepted records to the collector, counts all records, and
/// stores rejects.
struct RecordTally: RecordSink {
    var collector: EventCollector
    private(set) var tally = FileTally()
    private(set) var rejects: [Reject] = []
    private(set) var names = NameCollector()

    private var firstSection = 0
    private var source: UInt16 = 0
    private var sourceName = ""
    private var path = ""
    private let sampleKeys: [SampleKeys]

    /// `sampleKeys` are by source index.
    init(collector: EventCollector, sampleKeys: [SampleKeys]) {
        self.collector = collector
        self.sampleKeys = sampleKeys
    }

    /// `firstSection` is the index of the section for the source's hex ids. The next two are for UUIDs and opaque ids.
    mutating func beginFile(_ file: InputFile, sourceName: String, firstSection: Int) {
        tally = FileTally()
        rejects = []
        names = NameCollector()
        source = UInt16(file.source)
        self.sourceName = sourceName
        self.firstSection = firstSection
        path = file.found.path
    }

    @inline(__always)
    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        tally.accept(record)
        collector.append(
            Event(
                id: record.id, time: record.time, delivery: collector.delivery(delivery), source: source,
                action: record.action, platform: record.platform),
            section: firstSection &+ Int(record.kind.rawValue))
    }

    mutating func accept(_ record: Record, delivery: Span<UInt8>, names: [FoundName]) {
        accept(record, delivery: delivery)
        for name in names { self.names.add(name, of: collector.delivery(delivery), time: record.time) }
    }

    mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>) {
        tally.accept(found)
        collector.append(found, in: bytes, source: source, firstSection: firstSection)
    }

    mutating func filter(_ reason: FilterReason) {
        tally.filter(reason)
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        let isKept = tally.count(reason) < FileTally.rejectsKept
        let detail = isKept ? detail() : ""
        tally.reject(reason, path: path, line: line, detail: detail)
        guard isKept else { return }
        rejects.append(
            Reject(
                source: sourceName, path: path, line: line, reason: reason.code, detail: detail,
                sample: maskedSample(of: evidence, keys: sampleKeys[Int(source)])))
    }
}

extension LogDatePlan {
    /// Merges the runs of a reading into a partition that is being written: names, blocks and daily rows. Returns the
    /// number of events; that of their records, which are the accepted ones if none was lost; and the counts of the
    /// log date by itself, before shared messages are considered.
    func merge(
        _ reading: LogDateReading, into writer: PartitionWriter, jobs: Int, stop: StopFlag
    ) throws -> (events: Int, records: Int, daily: ActionCounts) {
        let (deliveries, renumbering) = DeliveryTable.merge(reading.deliveries)
        let names = EventNames(
            sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: deliveries)
        try writer.write(names)
        let mergers = reading.runs.map { RunMerger($0, renumbering: renumbering) }
        let pieces = mergers.indices.flatMap { section in
            mergers[section].count == 0
                ? [] : mergers[section].pieces(of: PieceWorker.wantedEvents).map { (section: section, piece: $0) }
        }
        // `nonisolated(unsafe)`: `Fanout.inOrder` passes on one piece at a time and takes its lock in between, so each
        // thread sees what the thread before it has written.
        nonisolated(unsafe) let output = writer
        let workers = try Fanout.inOrder(jobs: jobs, pieces: pieces.count) {
            PieceWorker(standalone: StandaloneTables(names), days: DayClock(zone: pipeline.zone))
        } make: { worker, number in
            try stop.check()
            let (section, piece) = pieces[number]
            return (section, try worker.merge(piece, of: mergers[section]))
        } take: { section, blocks in
            for block in blocks { try output.append(block, section: sections[section]) }
        }
        var (events, records, standalone) = (0, 0, StandaloneTables(names))
        for var worker in workers {
            worker.standalone.flush()
            events += worker.events
            records += worker.records
            standalone.merge(worker.standalone)
        }
        writer.write(LogDateRows(standalone.tables))
        return (events, records, standalone.tables.daily)
    }
}

/// Merges pieces, one after the other, on one thread. It owns all its buffers.
private struct PieceWorker: Sendable {
    /// The approximate number of events of a piece before joining.
    static let wantedEvents = 1 << 16

    // The sums of all pieces of this worker.
    var events = 0
    /// Records of all events together.
    var records = 0
    var standalone: StandaloneTables

    var days: DayClock
    var encoder = EventBlockEncoder()

    /// The blocks of the piece's events.
    mutating func merge(_ piece: RunMerger.Piece, of merger: RunMerger) throws -> [EventBlock] {
        var blocks: [EventBlock] = []
        try merger.merge(piece) { chunk in
            events += chunk.count
            for index in chunk.indices { records += Int(chunk[index].records) }
            standalone.add(chunk, days: &days)
            blocks.append(encoder.encode(chunk))
        }
        standalone.endMessage(days: &days)
        return blocks
    }
}
