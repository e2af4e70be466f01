import Events
import LogFiles
import Partitions

/// Reads files, one after the other, on one thread; an idle thread may unpack ahead for it. It owns all its buffers.
struct FileWorker: ByteConsumer {
    private let plan: LogDatePlan
    private let progress: LoadProgress
    private let stop: StopFlag
    private let feed: BlockFeed
    private let windows: WindowMemory
    /// The memory that the current file has of `windows`.
    private var window = 0
    private var block = Block()
    private var readers: [RecordReader]
    private var records: RecordTally
    private var source = 0

    init(
        number: Int, plan: LogDatePlan, memory: Int, windows: WindowMemory, spillFolder: String, idle: IdleThreads,
        progress: LoadProgress, stop: StopFlag
    ) {
        self.plan = plan
        self.progress = progress
        self.stop = stop
        self.windows = windows
        let memoryAhead = min(UnpackingAhead.mostMemory, memory / 4)
        feed = BlockFeed(idle: idle, memory: memoryAhead)
        readers = plan.rules.map { RecordReader($0) }
        records = RecordTally(
            collector: EventCollector(
                worker: number, sections: plan.sections.count, memory: memory - memoryAhead, spillFolder: spillFolder),
            sampleKeys: plan.sampleKeys)
    }

    /// Reads a file to its end.
    ///
    /// That a long body is broken shows only at its fault. Then the file is read once more with what is known: a reading to the
    /// file's end finds all broken bodies, and other ones can only be found in a damaged file, before the damaged member.
    mutating func read(_ file: InputFile) throws -> FileResult {
        source = file.source
        defer { exchangeWindow(for: 0) }
        var (members, brokenBodies) = (Int.max, Set<Int>())
        // Bytes that are read again count once in the progress.
        var progress: LoadProgress? = progress
        while true {
            let report = try file.naming { logFile in
                var block = exchange(&block, with: .nothing)
                defer {
                    feed.end()
                    self.block = block
                }
                return try feed.read(&self, through: &block, upTo: members) { [stop] worker, members in
                    brokenBodies.formUnion(worker.readers[file.source].brokenBodies)
                    worker.beginFile(file, knownBrokenBodies: brokenBodies)
                    let counted = exchange(&progress, with: nil)
                    try worker.feed.begin(logFile, bytes: file.found.bytes, members: members) { count in
                        try stop.check()
                        counted?.update { $0.readBytes += count }
                    }
                    worker.exchangeWindow(for: worker.feed.window)
                }
            }
            guard !readers[source].brokenBodies.isEmpty else {
                records.collector.commitFile()
                try checkAccounts(of: file)
                var tally = records.tally
                tally.usesZone = readers[source].hasUsedZone
                return FileResult(file: file, report: report, tally: tally, rejects: records.rejects)
            }
            if report.status == .damaged { members = report.wholeMembers }
        }
    }

    /// libzstd takes the memory when it unpacks the first bytes. The events get less meanwhile.
    private mutating func exchangeWindow(for bytes: Int) {
        windows.give(window)
        windows.take(bytes)
        window = bytes
        records.collector.lent = bytes
    }

    /// Forgets what was read of the file before.
    private mutating func beginFile(_ file: InputFile, knownBrokenBodies: Set<Int>) {
        records.collector.rollbackFile()
        readers[source].beginFile(plan.rules[source], knownBrokenBodies: knownBrokenBodies)
        records.beginFile(
            file, sourceName: plan.pipeline.sources[source].name, firstSection: plan.firstSections[source])
    }

    /// The sorted runs of each section, and the delivery table that their numbers refer to.
    mutating func finish() throws -> (runs: [[EventRun]], deliveries: DeliveryTable) {
        (try records.collector.finish(), records.collector.deliveries)
    }

    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int {
        let taken = readers[source].read(bytes, atEnd: atEnd, into: &records)
        try records.collector.packIfFull()
        return taken
    }

    mutating func endCut(_ bytes: Span<UInt8>) throws {
        readers[source].endCut(bytes, into: &records)
    }

    private func checkAccounts(of file: InputFile) throws {
        let tally = records.tally
        let parts = tally.accepted + tally.filtered + tally.rejected
        let reader = readers[source]
        guard tally.records == parts, !reader.countsLines || reader.lines == parts else {
            throw AccountsError.fileMismatch(
                path: file.found.path, records: reader.countsLines ? reader.lines : tally.records,
                accepted: tally.accepted, filtered: tally.filtered, rejected: tally.rejected)
        }
    }
}
