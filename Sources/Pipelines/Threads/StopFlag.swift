import Foundation
import Synchronization

/// Tells all workers to stop; anyone may raise it, at any time.
package final class StopFlag: Sendable {
    /// The signal that raised it; 0 for none yet.
    private let signal = Atomic<Int32>(0)

    package init() {}

    package var isRaised: Bool { signal.load(ordering: .relaxed) != 0 }

    package func raise(_ signal: Int32 = SIGINT) {
        self.signal.store(signal, ordering: .relaxed)
    }

    /// Of a command that it has stopped, as shells count: 130 after SIGINT, 143 after SIGTERM.
    package var exitCode: Int32 { 128 + signal.load(ordering: .relaxed) }

    func check() throws(Stopped) {
        if isRaised { throw Stopped() }
    }
}
