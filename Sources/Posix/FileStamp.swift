import Foundation

/// The size, times, inode and device of a file, known without reading the file. If two stamps of a path are equal, and
/// the first was steady, then the file's bytes are the same.
///
/// A count of nanoseconds ends in the year 2262, and file systems have later times. Such a time wraps around to a
/// negative number. It still tells two times apart, and a difference that wraps around too is right again.
///
/// Devices may get other numbers when a machine starts or a disk is mounted. Then a stored stamp equals no other, and
/// the file is compared again.
package struct FileStamp: Hashable, Codable, Sendable {
    /// The system's clock for files ticks every 10 ms or faster. Two writes within one tick can leave the same times.
    /// This is twice that, in nanoseconds.
    private static let tick: Int64 = 20_000_000
    private static let second: Int64 = 1_000_000_000

    /// The file's size.
    package let bytes: Int
    /// When the file's bytes last changed (mtime), in nanoseconds since 1970. The file's owner can set this time.
    package let modified: Int64
    /// When the file's bytes or its inode last changed (ctime), in nanoseconds since 1970. Nobody can set this time.
    package let changed: Int64
    /// The inode number: a new file at the same path has another one.
    package let inode: UInt64
    /// The device number. Inode numbers are unique on one device only. Nil for a file that is not on this machine.
    package let device: UInt64?

    /// The stamp of the regular file at a path; follows symbolic links. Returns nil if there is no regular file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, FileKind(status.st_mode) == .file else { return nil }
        self.init(status)
    }

    /// The stamp of an open file, or nil if `fstat` fails.
    package init?(_ file: FileDescriptor) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of a file that is not on this machine, whose owner cannot set the time.
    package init(bytes: Int, modified: Int64) {
        self.bytes = bytes
        self.modified = modified
        changed = modified
        inode = 0
        device = nil
    }

    private init(_ status: stat) {
        bytes = Int(status.st_size)
        modified = FileStamp.nanoseconds(status.st_mtim)
        changed = FileStamp.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }

    /// The stamp of the regular file at a path, to be stored for the bytes that it has now. Waits until the stamp is
    /// steady, 20 ms at most. Nil if that takes longer, as with times of the future, or the file changes meanwhile.
    package static func steady(path: String) -> FileStamp? {
        guard let stamp = FileStamp(path: path), stamp.isSteady(at: now() + tick) else { return nil }
        if stamp.isSteady(at: now()) { return stamp }
        usleep(UInt32(tick / 1000))
        return stamp.isSteady(at: now()) && FileStamp(path: path) == stamp ? stamp : nil
    }

    /// Whether every write after `now` (nanoseconds since 1970) is certain to change the stamp.
    ///
    /// Times in whole seconds suggest a file system with that resolution, so the stamp is steady later. A time in the
    /// future comes from another clock, so the stamp is not steady.
    package func isSteady(at now: Int64) -> Bool {
        let grace = changed % FileStamp.second == 0 ? 2 * FileStamp.second : FileStamp.tick
        return now &- changed >= grace && (now &- modified).magnitude >= FileStamp.tick
    }

    /// The current time of the clock for file times, in nanoseconds since 1970.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* second &+ Int64(time.tv_nsec)
    }
}
