/// Collects sorted runs of blocks that other processes have made, in bounded memory: the blocks go to a spill file. When there
/// are many runs, they are merged into one, because a merge keeps a decoded block of each run in memory.
package struct RunCollector {
    private let spillFolder: String
    /// The number of runs of one level that are merged into a run of the next level.
    private let fanIn: Int
    /// By section.
    private var runs: [[EventRun]]
    /// By the worker of a run, the delivery ids that its numbers refer to.
    private var tables: [DeliveryTable] = []
    /// Has the runs that came since the last merge.
    private var file: SpillFile?

    /// - Parameters:
    ///   - sections: the number of sections.
    ///   - memory: the bytes that a merge may hold.
    ///   - spillFolder: an existing folder for spill files.
    ///   - fanIn: the number of runs to merge into one; nil chooses it by the memory.
    package init(sections: Int, memory: Int, spillFolder: String, fanIn: Int? = nil) {
        self.spillFolder = spillFolder
        let affordable = memory / 4 / (EventBlock.capacity * MemoryLayout<Event>.stride)
        self.fanIn = fanIn ?? min(max(16, affordable), 256)
        runs = Array(repeating: [], count: sections)
    }

    /// Adds a run: blocks that are sorted by id, with one event per (id, action). `deliveries` are the ids that the numbers in
    /// the events refer to.
    ///
    /// - Throws: `SpillError`, or `EventBlockError` if a block is damaged.
    package mutating func append(_ blocks: [EventBlock], section: Int, deliveries: [String]) throws {
        let file = try file ?? SpillFile(folder: spillFolder)
        self.file = file
        let stored = try blocks.map { try SortedRun.Block($0, in: file) }
        add(SortedRun(level: 0, blocks: stored, in: file), section, deliveries)
        var level = 0
        while runs[section].count(where: { $0.level == level }) >= fanIn {
            try merge(section, level)
            level += 1
        }
    }

    /// The runs of each section, and by their workers the delivery ids.
    package consuming func finish() -> (runs: [[EventRun]], deliveries: [DeliveryTable]) {
        (runs, tables)
    }

    private mutating func add(_ run: SortedRun, _ section: Int, _ deliveries: [String]) {
        var table = DeliveryTable()
        for var text in deliveries { _ = text.withUTF8 { table.index(of: $0.span) } }
        runs[section].append(EventRun(worker: tables.count, content: .blocks(run)))
        tables.append(table)
    }

    private mutating func merge(_ section: Int, _ level: Int) throws {
        let inputs = runs[section].filter { $0.level == level }
        let merged = DeliveryTable.merge(inputs.map { tables[$0.worker] })
        var renumbering = [[UInt32]](repeating: [], count: tables.count)
        for (input, numbers) in zip(inputs, merged.renumbering) { renumbering[input.worker] = numbers }
        let run = try RunMerger(inputs, renumbering: renumbering).merged(into: try SpillFile(folder: spillFolder))
        let unused = DeliveryTable()
        for input in inputs { tables[input.worker] = unused }
        runs[section].removeAll { $0.level == level }
        if level == 0 { file = nil }
        add(run, section, merged.texts)
    }
}
