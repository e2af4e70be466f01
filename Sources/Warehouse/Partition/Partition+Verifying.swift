import Events

extension Partition {
    /// Reads everything that has a hash; throws where it is not as it was written.
    package func verify(_ isStopped: () -> Bool = { false }) throws(WarehouseError) {
        let limits = EventNumberLimits(try names())
        _ = try figures(limits)
        _ = try files()
        _ = try outcomes()
        try checkRejects()
        for (section, places) in try blockPlaces() {
            var ids = MessageIDs(isWide: section.kind != .hex)
            for start in stride(from: 0, to: places.count, by: 64) {
                if isStopped() { throw .stopped }
                for block in try blocks(places[start..<min(start + 64, places.count)]) {
                    ids.removeAll()
                    do {
                        try ids.append(block)
                    } catch {
                        throw .corrupt(path: path, detail: "a block of events: \(error)")
                    }
                }
            }
        }
    }
}
