import Synchronization

/// The memory that a file has for its zstd window while it is read. Only the thread that unpacks the file exchanges it.
final class WindowShare: Sendable {
    /// The bytes for the windows of all files that are read at once, and the most. One window is granted in any case.
    private let windows: Monitor<Int>
    private let most: Int
    private let held = Atomic<Int>(0)

    init(_ windows: Monitor<Int>, most: Int) {
        self.windows = windows
        self.most = most
    }

    var bytes: Int { held.load(ordering: .relaxed) }

    /// Gives back what it has, and takes other memory. Waits until it is there: who waits has none, so one always goes on.
    func exchange(for bytes: Int) {
        windows.change { $0 -= self.bytes }
        windows.change(when: { $0 == 0 || bytes == 0 || $0 + bytes <= most }, { $0 += bytes })
        held.store(bytes, ordering: .relaxed)
    }
}
