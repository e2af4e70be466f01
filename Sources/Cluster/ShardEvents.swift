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
        var collector: RunCollector
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
                collector: RunCollector(sections: plan.sections.count, memory: memory, spillFolder: spillFolder))
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
        let events = try checked(blocks, frame.content)
        try dates[logDate]?.collector.append(events, section: blocks.section, deliveries: blocks.deliveries)
    }

    /// The blocks of a frame. All of them can be decoded, and their events have names.
    private func checked(_ blocks: Frame.Label.Blocks, _ content: [UInt8]) throws(ClusterError) -> [EventBlock] {
        let limits = NameCounts(
            EventNames(
                sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: blocks.deliveries))
        var rest = content[...]
        var checked: [EventBlock] = []
        var events: [Event] = []
        for bytes in blocks.bytes {
            events.removeAll(keepingCapacity: true)
            guard (0...rest.count).contains(bytes),
                let block = try? EventBlock(Array(rest.prefix(bytes)), decodedInto: &events), limits.hold(events.span)
            else { throw .damagedFrame }
            checked.append(block)
            rest = rest.dropFirst(bytes)
        }
        guard rest.isEmpty else { throw .damagedFrame }
        return checked
    }

    /// The events by log date, in order.
    consuming func finish() -> [(date: ClusterJob.LoadedDate, plan: LogDatePlan, reading: LogDateReading)] {
        dates.values.sorted { $0.date.logDate < $1.date.logDate }.map { collected in
            let (runs, deliveries) = collected.collector.finish()
            let reading = LogDateReading(results: [], runs: runs, deliveries: deliveries)
            return (collected.date, collected.plan, reading)
        }
    }
}
