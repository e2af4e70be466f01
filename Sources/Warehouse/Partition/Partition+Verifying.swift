import Counting
import Events

extension Partition {
    /// Reads everything that has a hash.
    /// - Throws: `.corrupt` if something is not as it was written; `.stopped` if `isStopped` returns true.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        _ = try standaloneTables(NameCounts(try names()))
        _ = try files()
        _ = try outcomes()
        try checkRejects()
        for (section, entries) in try blockEntries() {
            var ids = MessageIDs(isWide: section.kind != .hex)
            for start in stride(from: 0, to: entries.count, by: Partition.blocksAtATime) {
                if isStopped() { throw .stopped }
                for block in try blocks(entries[start..<min(start + Partition.blocksAtATime, entries.count)]) {
                    ids.removeAll()
                    do {
                        try ids.append(block)
                    } catch {
                        throw .damagedBlock(path: path, error)
                    }
                }
            }
        }
    }
}
