import Calendar
import Configuration
import Events
import Warehouse

/// The events of one shard, as they come in frames: in any order, some of them more than once.
struct ShardEvents {
    /// All events of a log date.
    struct OfDate {
        let date: ClusterJob.LoadedDate
        let plan: LogDatePlan
        let reading: LogDateReading
    }

    private struct Collected {
        let date: ClusterJob.LoadedDate
        let plan: LogDatePlan
        var collector: RunCollector
    }

    /// The frames of a file that have come.
    private struct Origin: Hashable {
        let file: UInt32
        let number: UInt32
    }

    private let job: ClusterJob
    private let shard: UInt32
    private let context: FrameContext
    /// The names of the events' sources and actions.
    private let names: EventNames
    private var dates: [Int32: Collected] = [:]
    private var known: Set<Origin> = []

    /// - Parameters:
    ///   - memory: bytes for the events in hand.
    ///   - spillFolder: an existing folder for spill files.
    init(_ job: ClusterJob, _ shard: Int, _ pipeline: Pipeline, memory: Int, spillFolder: String) throws {
        self.job = job
        self.shard = UInt32(shard)
        context = job.context
        names = EventNames(
            sources: pipeline.sources.map(\.name), actions: pipeline.actionNames, deliveries: [])
        for date in job.dates {
            let plan = LogDatePlan(pipeline, date: LogDate(dayNumber: Int(date.logDate)), files: [])
            dates[date.logDate] = Collected(
                date: date, plan: plan,
                collector: RunCollector(sections: plan.sections.count, memory: memory, spillFolder: spillFolder))
        }
    }

    /// Frames of log dates that are not loaded are left out.
    ///
    /// - Throws: `ClusterError`, `SpillError`.
    mutating func add(_ frame: Frame) throws {
        guard frame.kind == .events, frame.key == shard else { throw ClusterError.foreignFrame }
        let content: EventFrame
        do {
            content = try EventFrame(frame)
        } catch {
            throw ClusterError.damagedFrame
        }
        guard content.context.isOfJob(context) else { throw ClusterError.foreignFrame }
        guard let date = dates[content.context.logDate]?.date else { return }
        let file = Int(frame.sender)
        guard job.files.indices.contains(file), date.files[file] == content.context.file else {
            throw ClusterError.changedFile(path: job.files.indices.contains(file) ? job.files[file].path : "")
        }
        guard known.insert(Origin(file: frame.sender, number: frame.number)).inserted else { return }
        guard dates[date.logDate]?.plan.sections.indices.contains(content.section) == true,
            content.hasValidEvents(names)
        else { throw ClusterError.damagedFrame }
        do {
            try dates[date.logDate]?.collector.append(
                content.blocks, section: content.section, deliveries: content.deliveries)
        } catch is EventBlockError {
            throw ClusterError.damagedFrame
        }
    }

    /// The events by log date, in order.
    consuming func finish() -> [OfDate] {
        dates.values.sorted { $0.date.logDate < $1.date.logDate }.map { collected in
            let (runs, deliveries) = collected.collector.finish()
            return OfDate(
                date: collected.date, plan: collected.plan,
                reading: LogDateReading(results: [], runs: runs, deliveries: deliveries))
        }
    }
}
