import CXattr
import Foundation

/// Asks the system to start writing a file's changed pages to the disk, without waiting. A later `fsync` then has less
/// to do. This is a hint: if the call is missing or fails, nothing is lost.
package struct Writeback: Sendable {
    private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    private let call: SyncFileRange?

    package init() {
        // Glibc declares `sync_file_range` for GNU sources only, and Swift does not count as one, so it is looked up by
        // name. The cast is sound, because the type is the one in the manual:
        // int sync_file_range(int fd, off_t offset, off_t nbytes, unsigned int flags).
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            call = dlsym(nil, "sync_file_range").map { unsafeBitCast($0, to: SyncFileRange.self) }
        #else
            call = nil
        #endif
    }

    /// Starts writing all changed pages of `file`.
    package func begin(_ file: FileDescriptor) {
        let syncFileRangeWrite: UInt32 = 2
        _ = call?(file.number, 0, 0, syncFileRangeWrite)
    }
}
