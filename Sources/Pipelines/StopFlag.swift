import Synchronization

/// Tells all workers to stop; anyone may raise it, at any time.
package final class StopFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    package init() {}

    package var isRaised: Bool { raised.load(ordering: .relaxed) }

    package func raise() {
        raised.store(true, ordering: .relaxed)
    }

    func check() throws(Stopped) {
        if isRaised { throw Stopped() }
    }
}

/// The stop flag was raised.
package struct Stopped: Error {}
