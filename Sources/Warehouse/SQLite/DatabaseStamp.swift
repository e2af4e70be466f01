import Foundation

/// What the system tells of the file of a partition or of push.db: where it is the same as before, so are the bytes, and
/// they need not be read to know that.
struct DatabaseStamp: Codable, Equatable, Sendable {
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
