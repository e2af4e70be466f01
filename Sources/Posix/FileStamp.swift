import Foundation

/// What the system tells about a file without reading it. If two stamps of a path are equal, and the first was settled,
/// the file's bytes are the same.
package struct FileStamp: Hashable, Codable, Sendable {
    /// A write within a tick of the clock leaves the times as they are; ticks are up to 10 ms long.
    private static let tick: Int64 = 20_000_000
    private static let second: Int64 = 1_000_000_000

    package let bytes: Int
    /// Nanoseconds since 1970 at which the file's bytes last changed, as far as its owner does not say otherwise.
    package let modified: Int64
    /// Nanoseconds since 1970 at which anything of the file last changed; nobody can set it back.
    package let changed: Int64
    package let inode: UInt64

    /// The stamp of a path, links followed; nil if there is no regular file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    /// The stamp of an open file; nil where the system does not tell.
    package init?(_ file: FileDescriptor) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* FileStamp.second &+ Int64(time.tv_nsec)
        }
        bytes = Int(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
    }

    /// Whether a write from `now` on, nanoseconds since 1970, is sure to change the stamp. A file system that counts whole
    /// seconds needs longer for that. A time ahead of ours is another clock's, of which nothing is known.
    package func isSettled(at now: Int64) -> Bool {
        let grace = changed % FileStamp.second == 0 ? 2 * FileStamp.second : FileStamp.tick
        return now - changed >= grace && abs(now - modified) >= FileStamp.tick
    }

    /// The clock that files are stamped by, nanoseconds since 1970.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * second + Int64(time.tv_nsec)
    }
}
