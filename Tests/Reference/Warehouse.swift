/// The output folder: a partition for each loaded log date, and what is published of them.
package struct ReferenceWarehouse {
    package enum Verdict: Equatable {
        case loaded
        /// The files were read, and the earlier partition was kept.
        case heldBack
        case noFiles
    }

    package private(set) var partitions: [Day: Partition] = [:]
    /// The pipeline of the last publishing.
    package private(set) var pipeline = Pipeline()

    /// What the delivery files said when they could be read last.
    package private(set) var deliveries: [Bytes: NamedDelivery] = [:]

    package init() {}

    package var tables: [OutputTable] {
        let inOrder = partitions.values.sorted { $0.logDate < $1.logDate }
        return Publication(partitions: inOrder, pipeline: pipeline, deliveries: deliveries).tables
    }

    /// Does what `run --date` does. Returns the verdict and the exit code.
    package mutating func load(
        _ logDate: Day, files: [InputFile], pipeline: Pipeline, force: Bool, deliveryFiles: [DeliveryFile] = []
    ) -> (verdict: Verdict, exitCode: Int32) {
        var result = load(logDate, files: files, pipeline: pipeline, force: force)
        guard !partitions.isEmpty else { return result }
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
        if files.isEmpty { return (.noFiles, 66) }
        if files.contains(where: { foreignKind($0.bytes) != nil }) { return (.heldBack, 65) }
        let partition = Partition(logDate: logDate, files: files, pipeline: pipeline)
        let isDamaged = partition.files.contains { $0.status != .ok }
        if isDamaged && pipeline.failsOnDamagedFiles { return (.heldBack, 65) }
        if !force, partition.rejectRatio > (Double(pipeline.rejectRatio) ?? 0) { return (.heldBack, 65) }
        if !partition.isComplete, !force, partitions[logDate]?.isComplete == true { return (.heldBack, 65) }
        partitions[logDate] = partition
        self.pipeline = pipeline
        return (.loaded, partition.isComplete ? 0 : 65)
    }
}
