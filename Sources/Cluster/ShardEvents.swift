import Calendar
import Configuration
import Counting
import Events
import Pipelines
import Warehouse

/// The events of one shard, as they come in frames: in any order, some of them more than once.
struct ShardEvents {
    private struct Collected {
        let date: ClusterJob.LoadedDate
        let plan: LogDatePlan
        var collector: EventCollector

        mutating func add(_ events: inout [Event], _ blocks: Frame.Label.Blocks) throws {
            let numbers = blocks.deliveries.map { collector.delivery(Array($0.utf8).span) }
            for index in events.indices { events[index].delivery = numbers[Int(events[index].delivery)] }
            try collector.append(run: events.span, section: blocks.section)
        }
    }

    /// The frames of a file that have come.
    private struct Origin: Hashable {
        let file: Int
        let number: Int
    }

    private let job: ClusterJob
    private let shard: UInt32
    private let pipeline: Pipeline
    private var dates: [Int32: Collected] = [:]
    private var known: Set<Origin> = []

    /// - Parameters:
    ///   - memory: bytes for events in memory.
    ///   - spillFolder: an existing folder for spill files.
    init(_ job: ClusterJob, _ shard: Int, _ pipeline: Pipeline, memory: Int, spillFolder: String) {
        self.job = job
        self.shard = UInt32(shard)
        self.pipeline = pipeline
        for date in job.dates {
            let plan = LogDatePlan(pipeline, date: LogDate(dayNumber: Int(date.logDate)), files: [])
            dates[date.logDate] = Collected(
                date: date, plan: plan,
                collector: EventCollector(
                    worker: 0, sections: plan.sections.count, memory: memory / job.dates.count, spillFolder: spillFolder
                ))
        }
    }

    /// Adds the events of a frame of the job. Frames of log dates that are not loaded are left out.
    ///
    /// - Throws: `ClusterError`, `SpillError`.
    mutating func add(_ frame: Frame) throws {
        guard frame.key == shard else { throw ClusterError.foreignFrame }
        let label = frame.label
        guard let logDate = label.logDate, let date = dates[logDate]?.date else { return }
        guard job.files.indices.contains(label.sender) else { throw ClusterError.foreignFrame }
        guard date.files[label.sender] == label.file else {
            throw ClusterError.changedFile(path: job.files[label.sender].path)
        }
        guard known.insert(Origin(file: label.sender, number: label.number)).inserted else { return }
        guard let blocks = label.blocks, dates[logDate]?.plan.sections.indices.contains(blocks.section) == true else {
            throw ClusterError.damagedFrame
        }
        var events = try checked(blocks, frame.content)
        guard !events.isEmpty else { return }
        try dates[logDate]?.add(&events, blocks)
    }

    /// The events of a frame. All blocks can be decoded, and their events have names.
    private func checked(_ blocks: Frame.Label.Blocks, _ content: [UInt8]) throws(ClusterError) -> [Event] {
        var events: [Event] = []
        var rest = content[...]
        for bytes in blocks.bytes {
            guard (0...rest.count).contains(bytes),
                (try? EventBlock.decode(Array(rest.prefix(bytes)), appendingTo: &events)) != nil
            else { throw .damagedFrame }
            rest = rest.dropFirst(bytes)
        }
        let limits = NameCounts(
            EventNames(
                sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: blocks.deliveries))
        guard rest.isEmpty, limits.hold(events.span) else { throw .damagedFrame }
        return events
    }

    /// The events by log date, in order.
    /// - Throws: `SpillError`.
    consuming func finish() throws -> [(date: ClusterJob.LoadedDate, plan: LogDatePlan, reading: LogDateReading)] {
        try dates.values.sorted { $0.date.logDate < $1.date.logDate }.map { collected in
            var collector = collected.collector
            let runs = try collector.finish()
            let reading = LogDateReading(results: [], runs: runs, deliveries: [collector.deliveries])
            return (collected.date, collected.plan, reading)
        }
    }
}
