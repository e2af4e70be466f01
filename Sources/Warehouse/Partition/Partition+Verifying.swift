import Counting
import Events

extension Partition {
    /// Reads everything that has a hash; throws where it is not as it was written.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        _ = try standaloneTables(NameCounts(try names()))
        _ = try files()
        _ = try outcomes()
        try checkRejects()
        for (section, entries) in try blockEntries() {
            var ids = MessageIDs(isWide: section.kind != .hex)
            for start in stride(from: 0, to: entries.count, by: 64) {
                if isStopped() { throw .stopped }
                for block in try blocks(entries[start..<min(start + 64, entries.count)]) {
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
