import Synchronization

/// The memory that a file has for its zstd window while it is read. Only the thread that unpacks the file exchanges it.
final class WindowShare: Sendable {
    /// The bytes of the windows of all files that are being read, and the limit for their sum. A single window may
    /// exceed the limit.
    private let windows: Monitor<Int>
    private let most: Int
    private let held = Atomic<Int>(0)

    init(_ windows: Monitor<Int>, most: Int) {
        self.windows = windows
        self.most = most
    }

    var bytes: Int { held.load(ordering: .relaxed) }

    /// Gives back the memory held so far, then waits until `bytes` are free, and takes them. A waiting file holds
    /// nothing, so some file can always go on.
    func exchange(for bytes: Int) {
        windows.change { $0 -= self.bytes }
        windows.change(when: { $0 == 0 || bytes == 0 || $0 + bytes <= most }, { $0 += bytes })
        held.store(bytes, ordering: .relaxed)
    }
}
