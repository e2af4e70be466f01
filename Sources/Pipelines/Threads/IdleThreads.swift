import Synchronization

/// Threads that a load may use and that have nothing to do.
final class IdleThreads: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) {
        self.count = Atomic(count)
    }

    /// Takes one, if there is one.
    func take() -> Bool {
        var found = count.load(ordering: .relaxed)
        while found > 0 {
            let (exchanged, original) = count.weakCompareExchange(
                expected: found, desired: found - 1, ordering: .relaxed)
            if exchanged { return true }
            found = original
        }
        return false
    }

    func give() {
        count.add(1, ordering: .relaxed)
    }
}
