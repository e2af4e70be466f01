import Calendar
import Foundation
import Posix

extension OutputFolder {
    /// The log date of the partition at a path; nil for another file.
    static func logDate(ofPartitionAt path: String) -> Int32? {
        PartitionName(Folder.name(of: path)).flatMap { $0.isSettled ? nil : $0.logDate }
    }

    /// The log dates of which something is left that holds ids, or details of records: a partition, caches, a held-back load.
    func erasableDates(_ closed: ClosedDates) throws(WarehouseError) -> [Int32] {
        var dates: Set<Int32> = []
        for (_, names) in try namesOfDates() { dates.formUnion(names.map(\.logDate)) }
        let forgotten = closed.forgotten.filter { dates.contains($0) || access(settledPath($0), F_OK) == 0 }
        return dates.filter(closed.isErasable).union(forgotten).sorted()
    }

    /// The paths of the partitions and caches of these log dates.
    func filesToErase(_ closed: ClosedDates) throws(WarehouseError) -> [String] {
        let dates = Set(try erasableDates(closed))
        return try namesOfDates().flatMap { folder, names in
            names.filter { dates.contains($0.logDate) }.map { "\(folder)/\($0.text)" }
        }.sorted()
    }

    /// Removes all that holds ids of a log date, or details of its records. A settled file stays, unless the date is forgotten.
    func erase(_ closed: ClosedDates) throws(WarehouseError) {
        let dates = Set(try erasableDates(closed))
        let shards = shardCount() ?? 0
        let versions = shards > 0 ? try OutputDatabase(self).readableVersions() : [:]
        for path in try filesToErase(closed) {
            try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
        }
        for logDate in closed.forgotten {
            let path = settledPath(logDate)
            try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
        }
        for folder in [partitionsPath, cachePath, heldPath] where access(folder, F_OK) == 0 {
            try reportingCalls { () throws(SystemError) in try Folder.sync(folder) }
        }
        // No manifest names what the shards have of these log dates any more, so a killed command leaves it to the next job.
        for shard in 0..<shards { try erase(dates, ofShard: shard, versions) }
    }

    /// Removes what a shard has of log dates. The rest of its cache stays: it gets the name of the partitions that stay.
    private func erase(
        _ dates: Set<Int32>, ofShard number: Int, _ versions: [Int32: String]
    ) throws(WarehouseError) {
        let shard = shard(number, versions: versions)
        for path in try shard.namesOfDates().flatMap({ folder, names in
            names.filter { dates.contains($0.logDate) }.map { "\(folder)/\($0.text)" }
        }) {
            try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
        }
        let other = shardCachePath(number, versions.filter { !dates.contains($0.key) })
        guard other != shard.cachePath, access(shard.cachePath, F_OK) == 0, access(other, F_OK) != 0 else { return }
        try reportingCalls { () throws(SystemError) in try WholeFile.rename(shard.cachePath, to: other) }
    }

    /// By folder, the names that begin with a log date, but for settled files.
    private func namesOfDates() throws(WarehouseError) -> [(folder: String, names: [(logDate: Int32, text: String)])] {
        var found: [(folder: String, names: [(logDate: Int32, text: String)])] = []
        for folder in [partitionsPath, cachePath, heldPath] {
            let names = try OutputFolder.names(in: folder).compactMap { name in
                name.firstIndex(of: ".").flatMap { end in CalendarText.day(of: String(name[..<end])) }.map {
                    ($0, name)
                }
            }
            found.append((folder, names.filter { !(PartitionName($0.1)?.isSettled ?? false) }.map { ($0.0, $0.1) }))
        }
        return found
    }
}
