import Posix

extension ClosedDates {
    /// Checks that a partition is the one with which its log date was closed. One that a backup or another output has put there
    /// since would change figures that others have settled by.
    func check(_ partition: Partition) throws(WarehouseError) {
        let logDate = partition.summary.logDate
        guard holds(logDate), dates[logDate]?.version != partition.summary.version else { return }
        let detail =
            dates[logDate] == nil
            ? "it was put there after its log date was closed" : "it is not the one with which its log date was closed"
        throw .corrupt(path: partition.path, detail: detail)
    }

    /// The settled file of a log date.
    ///
    /// - Throws: `.retention` if it cannot be used.
    package func settledFile(of logDate: Int32, in folder: OutputFolder) throws(WarehouseError) -> Partition {
        try SettledDates.file(logDate, dates[logDate]?.settled ?? "", in: folder)
    }

    /// The partition of a closed log date, whose ids others need.
    ///
    /// - Parameter faulty: partitions that turned out to be damaged, by path.
    /// - Throws: `.retention` if it cannot be used.
    package func partition(
        of logDate: Int32, in folder: OutputFolder, _ faulty: [String: WarehouseError] = [:]
    ) throws(WarehouseError) -> Partition {
        let path = folder.partitionPath(logDate)
        do throws(WarehouseError) {
            if let fault = faulty[path] { throw fault }
            if let damage = PartitionDamage(of: logDate, in: folder) { throw damage.error(of: logDate, in: folder) }
            let partition = try Partition(logDate: logDate, folder: folder)
            try check(partition)
            return partition
        } catch {
            if case .missing = error {
                throw .retention(.ids(path: path, logDate: logDate, detail: "is gone"))
            }
            guard error.isDamage else { throw error }
            PartitionDamage.store([error], in: folder)
            throw .retention(.ids(path: path, logDate: logDate, detail: RetentionFault.damage(error)))
        }
    }
}
