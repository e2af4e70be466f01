import Foundation
import Messages
import Synchronization

/// Asks all workers to stop. Any thread may raise it, at any time.
package final class StopFlag: Sendable {
    /// The signal that raised it; 0 before that.
    private let signal = Atomic<Int32>(0)

    package init() {}

    var isRaised: Bool { signal.load(ordering: .relaxed) != 0 }

    /// Asks all workers to stop because of a signal.
    package func raise(_ signal: Int32 = SIGINT) {
        self.signal.store(signal, ordering: .relaxed)
    }

    /// The exit code of a command that was stopped, as shells have it: 130 after SIGINT, 143 after SIGTERM.
    package var exitCode: Int32 { 128 + signal.load(ordering: .relaxed) }

    package func check() throws(Stopped) {
        if isRaised { throw Stopped(isResumable: true) }
    }
}
