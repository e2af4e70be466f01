import Synchronization

/// The number of threads that a load may use and that are idle.
final class IdleThreads: Sendable {
    private let count: Mutex<Int>

    init(_ count: Int) {
        self.count = Mutex(count)
    }

    /// Takes an idle thread; false if there is none.
    func take() -> Bool {
        count.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }

    func give() {
        count.withLock { $0 += 1 }
    }
}
