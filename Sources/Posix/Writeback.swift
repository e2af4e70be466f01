import Foundation

/// Asks the system to begin writing a file's changed pages without waiting for them, so that a later `fsync` has less to
/// do. Only a hint: where the call is missing or fails, nothing is lost.
package struct Writeback: Sendable {
    private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    private let call: SyncFileRange?

    package init() {
        // Glibc's header shows `sync_file_range` to GNU sources only, which Swift is not. The cast is sound as the type is
        // that of the manual: int sync_file_range(int fd, off_t offset, off_t nbytes, unsigned int flags).
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            call = dlsym(nil, "sync_file_range").map { unsafeBitCast($0, to: SyncFileRange.self) }
        #else
            call = nil
        #endif
    }

    package func begin(_ file: FileDescriptor) {
        let write: UInt32 = 2
        _ = call?(file.number, 0, 0, write)
    }
}
