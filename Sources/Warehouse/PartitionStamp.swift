import Events
import Foundation

/// What the system tells of a partition's file: where it is the same as before, so are the bytes, and they need not be
/// read to know that.
struct PartitionStamp: Codable, Equatable, Sendable {
    let bytes: Int64
    /// In nanoseconds since 1970.
    let modified: Int64
    let changed: Int64
    let inode: UInt64

    /// Nil if the system tells nothing.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
        bytes = Int64(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
    }
}

extension Partition {
    /// Reads everything that has a hash; throws where it is not as it was written.
    func verify(_ isStopped: () -> Bool) throws(WarehouseError) {
        let limits = EventNumberLimits(try names())
        _ = try figures(limits)
        _ = try files()
        _ = try outcomes()
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
