import Synchronization

/// The number of threads that a load may use and that are idle.
final class IdleThreads: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) {
        self.count = Atomic(count)
    }

    /// Takes an idle thread; false if there is none.
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
