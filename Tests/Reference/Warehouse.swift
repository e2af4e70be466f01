/// The output folder: a partition for each loaded log date, and what is published of them.
package struct ReferenceWarehouse {
    package enum Verdict: Equatable {
        case loaded
        /// The files were read, and the earlier partition was kept.
        case heldBack
        case noFiles
    }

    package private(set) var partitions: [Day: Partition] = [:]
    /// The log dates that are partial and accepted so.
    private var accepted: Set<Day> = []
    /// The pipeline of the last publishing.
    package private(set) var pipeline = Pipeline()

    /// What the delivery files said when they could be read last.
    package private(set) var deliveries: [Bytes: NamedDelivery] = [:]

    /// What the last publishing showed of each day: its sums, and its rows of the tables by day.
    private var sums: [Day: [Int]] = [:]
    private var rows: [Day: Set<OutputRow>] = [:]
    /// What each publishing changed.
    private var changeRows: [OutputRow] = []
    private var publishings = 0
    /// Whether there is a push.db. A load that is held back makes one too, without log dates.
    private var exists = false

    package init() {}

    private var publication: Publication {
        let inOrder = partitions.values.sorted { $0.logDate < $1.logDate }
        return Publication(partitions: inOrder, pipeline: pipeline, deliveries: deliveries)
    }

    package var tables: [OutputTable] { publication.tables }

    /// The table `changes`, without times.
    package var changes: OutputTable { OutputTable("changes", Columns.changes, changeRows) }

    private mutating func publish(_ logDate: Day) {
        let (before, after) = (sums, publication.sums)
        let rowsBefore = rows
        rows = publication.rowsByDay
        let days = Set(rowsBefore.keys).union(rows.keys).filter { rowsBefore[$0] != rows[$0] }
        if !days.isEmpty { publishings += 1 }
        for day in days {
            let counts = zip(before[day] ?? [0, 0, 0], after[day] ?? [0, 0, 0]).flatMap { [$0, $1] }
            changeRows.append(
                [.integer(publishings), .text(logDate.description), .text(day.description)]
                    + counts.map { .integer($0) })
        }
        sums = after
    }

    /// Does what `run --date` does. Returns the verdict and the exit code.
    ///
    package mutating func load(
        _ logDate: Day, files: [InputFile], pipeline: Pipeline, force: Bool,
        deliveryFiles: [DeliveryFile] = []
    ) -> (verdict: Verdict, exitCode: Int32) {
        var result = load(
            logDate, files: files, pipeline: pipeline, force: force)
        // A hold that makes push.db does not read them.
        let isRead = exists || !partitions.isEmpty
        exists = exists || result.verdict != .noFiles
        guard isRead else { return result }
        if let read = namedDeliveries(pipeline, deliveryFiles) {
            deliveries = read
        } else {
            result.exitCode = 65
        }
        return result
    }

    private mutating func load(
        _ logDate: Day, files: [InputFile], pipeline: Pipeline, force: Bool
    ) -> (verdict: Verdict, exitCode: Int32) {
        var judged = ReferenceWarehouse.judge(
            logDate, files: files, pipeline: pipeline, force: force,
            standing: partitions[logDate])
        if let partition = judged.partition {
            // Whoever has accepted a partial date is not told again until its files change.
            let isSame = partitions[logDate].map { former in
                former.files.map(\.path) == partition.files.map(\.path)
                    && former.files.map(\.text) == partition.files.map(\.text)
                    && former.files.map(\.status) == partition.files.map(\.status)
            }
            let isAccepted =
                !partition.isComplete(by: pipeline) && (force || accepted.contains(logDate) && isSame == true)
            if isAccepted { accepted.insert(logDate) } else { accepted.remove(logDate) }
            if isAccepted { judged.exitCode = 0 }
            partitions[logDate] = partition
            self.pipeline = pipeline
            publish(logDate)
        }
        return (judged.verdict, judged.exitCode)
    }

    /// What a load of these files comes to. The partition is nil if it is not accepted.
    ///
    /// - Parameters:
    ///   - standing: the partition of the log date, if there is one.
    ///   - read: reads the files.
    package static func judge(
        _ logDate: Day, files: [InputFile], pipeline: Pipeline, force: Bool, standing: Partition?,
        read: (Day, [InputFile], Pipeline) -> Partition = Partition.init
    ) -> (verdict: Verdict, exitCode: Int32, partition: Partition?) {
        if files.isEmpty { return (.noFiles, 66, nil) }
        if files.contains(where: { foreignKind($0.bytes) != nil }) { return (.heldBack, 65, nil) }
        let partition = read(logDate, files, pipeline)
        if !(standing.map { isSame($0, partition) } ?? false), isFaulty(partition, pipeline, force: force) {
            return (.heldBack, 65, nil)
        }
        if !partition.isComplete(by: pipeline), !force, standing?.isComplete(by: pipeline) ?? false {
            return (.heldBack, 65, nil)
        }
        if let standing, !force, Losses(of: standing, in: partition).areTooMany {
            return (.heldBack, 65, nil)
        }
        return (.loaded, partition.isComplete(by: pipeline) ? 0 : 65, partition)
    }

    /// Whether the files of a load have faults that hold it back, whatever stands.
    private static func isFaulty(_ load: Partition, _ pipeline: Pipeline, force: Bool) -> Bool {
        if load.files.contains(where: { $0.status != .ok }) && pipeline.failsOnDamagedFiles { return true }
        if load.files.contains(where: \.hasFaultyHeader) { return true }
        if force { return false }
        return load.rejectRatio > (Double(pipeline.rejectRatio) ?? 0) || load.hasSourceOfLongLinesOnly
    }

    /// Whether a load comes to what stands already: the same contents, read by the same pipeline. Limits may differ.
    private static func isSame(_ standing: Partition, _ load: Partition) -> Bool {
        var former = standing.pipeline
        former.rejectRatio = load.pipeline.rejectRatio
        former.failsOnDamagedFiles = load.pipeline.failsOnDamagedFiles
        for (index, source) in load.pipeline.sources.enumerated() where index < former.sources.count {
            former.sources[index].isRequired = source.isRequired
        }
        func contents(_ partition: Partition) -> [[Bytes]: Int] {
            partition.files.reduce(into: [:]) { counts, file in
                counts[[Bytes(file.source), file.status == .ok ? file.text : file.stored], default: 0] += 1
            }
        }
        return former == load.pipeline && contents(standing) == contents(load)
    }
}
