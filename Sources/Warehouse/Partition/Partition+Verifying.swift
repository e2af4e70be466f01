import Counting
import Events

extension Partition {
    /// Reads everything that has a hash.
    /// - Throws: `.corrupt` if something is not as it was written; `.stopped` if `isStopped` returns true.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        func check() throws(WarehouseError) {
            if isStopped() { throw .stopped }
        }
        let names = try readNames()
        try check()
        let tables = try standaloneTables(NameCounts(names))
        try check()
        _ = try files()
        _ = try outcomes()
        _ = try pipelineKeys()
        try checkRejects()
        try check()
        if isSettled {
            _ = try sums()
            return
        }
        // In an output with shards, these have the events and the tables.
        guard summary.events == 0 || !tables.daily.days.isEmpty else { return }
        try forEachBlock(NameCounts(names), isStopped) { _, _ in }
    }
}
