/// The partitions of closed log dates: those with which they were closed, and no others. One that a backup or another output has
/// put in the place of such a partition would change figures that others have settled by.
package struct ClosedPartitions {
    private let closed: ClosedDates

    package init(_ closed: ClosedDates) {
        self.closed = closed
    }

    /// - Throws: `.retention` if a partition is another one.
    func check(_ partition: Partition) throws(WarehouseError) {
        let logDate = partition.summary.logDate
        guard closed.holds(logDate), closed.dates[logDate]?.version != partition.summary.version else { return }
        let detail =
            closed.dates[logDate] == nil
            ? "was put there after its log date was closed" : "is not the one with which its log date was closed"
        throw .retention(.partition(path: partition.path, logDate: logDate, detail: detail))
    }

    /// The partition of a closed log date, whose ids others need.
    ///
    /// - Parameter fault: why it cannot be used, as far as that is known already.
    /// - Throws: `.retention` if it cannot be used.
    package func partition(
        of logDate: Int32, in folder: OutputFolder, fault: WarehouseError? = nil
    ) throws(WarehouseError) -> Partition {
        let path = folder.partitionPath(logDate)
        do throws(WarehouseError) {
            if let fault { throw fault }
            let partition = try Partition(logDate: logDate, folder: folder)
            try check(partition)
            return partition
        } catch {
            if case .missing = error { throw .retention(.ids(path: path, logDate: logDate, detail: "is gone")) }
            guard error.isDamage else { throw error }
            throw .retention(.ids(path: path, logDate: logDate, detail: error.damageClause))
        }
    }
}
