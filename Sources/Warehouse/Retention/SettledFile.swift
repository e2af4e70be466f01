import Counting

/// What a log date contributes once it is settled. See the head of `PartitionSchema`.
package enum SettledFile {
    /// Opens the settled file of a log date, which must be the one that the record names.
    ///
    /// - Throws: `.retention` if it cannot be used; `.newerSchema`.
    package static func open(
        _ logDate: Int32, _ closed: ClosedDates, in folder: OutputFolder
    ) throws(WarehouseError) -> Partition {
        try open(logDate, closed.dates[logDate]?.settled ?? "", in: folder)
    }

    static func open(
        _ logDate: Int32, _ identity: String, in folder: OutputFolder
    ) throws(WarehouseError) -> Partition {
        let path = folder.settledPath(logDate)
        return try reporting(logDate, path) { () throws(WarehouseError) in
            let file = try Partition(settled: path)
            guard try file.identity() == identity, file.summary.logDate == logDate else {
                throw .retention(.unknownFile(path: path, logDate: logDate))
            }
            return file
        }
    }

    /// Runs `body`, which reads a settled file, and converts its errors.
    static func reporting<Result>(
        _ logDate: Int32, _ path: String, _ body: () throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> Result {
        do {
            return try body()
        } catch {
            if case .missing = error {
                throw .retention(.settledFile(path: path, logDate: logDate, detail: "is missing"))
            }
            guard error.isDamage else { throw error }
            throw .retention(.settledFile(path: path, logDate: logDate, detail: error.damageClause))
        }
    }
}
