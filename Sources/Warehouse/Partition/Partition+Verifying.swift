import Counting
import Events

extension Partition {
    /// Reads everything that has a hash.
    /// - Throws: `.corrupt` if something is not as it was written; `.stopped` if `isStopped` returns true.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        let tables = try standaloneTables(NameCounts(try names()))
        _ = try files()
        _ = try outcomes()
        try checkRejects()
        // In an output with shards, these have the events and the tables.
        guard summary.events == 0 || !tables.daily.days.isEmpty else { return }
        var ids = MessageIDs(isWide: false)
        try forEachBlock(isStopped) { section, block throws(WarehouseError) in
            let isWide = section.kind != .hex
            if ids.isWide != isWide { ids = MessageIDs(isWide: isWide) }
            ids.removeAll()
            do throws(EventBlockError) {
                try ids.append(block)
            } catch {
                throw .damagedBlock(path: path, error)
            }
        }
    }
}
