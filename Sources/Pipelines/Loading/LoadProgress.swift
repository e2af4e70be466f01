import Calendar
import Foundation
import LogFiles
import Synchronization

/// How far a command is, for whoever wants to show it. Workers add, a display reads now and then.
///
/// `@unchecked Sendable`: `dates` and `lastWait` are only touched under the lock, and all else is atomic.
package final class LoadProgress: @unchecked Sendable {
    package enum Stage: Int, Sendable {
        case reading, comparing, merging, publishing
    }

    /// Of the log dates to be loaded.
    package struct Dates: Sendable {
        package var total = 0
        package var done = 0
        /// Those in hand, in their order.
        package var current: [LogDate] = []
    }

    /// A wait for a reader of the output DB.
    package struct Wait: Equatable, Sendable {
        /// Seconds so far, and at most.
        package var seconds: Double
        package var limit: Int
    }

    private let totalBytes = Atomic<Int>(0)
    private let readBytes = Atomic<Int>(0)
    private let comparedBytes = Atomic<Int>(0)
    private let currentStage = Atomic<Int>(0)
    private let lock = NSLock()
    private var dates = Dates()
    private var lastWait: (wait: Wait, at: ContinuousClock.Instant)?
    private let totalSteps = Atomic<Int>(0)
    private let doneSteps = Atomic<Int>(0)
    /// Is told once, when the wait for a reader has taken a second: where nobody sees a display, somebody may read of it.
    private let didBeginToWait: @Sendable (_ limit: Int) -> Void

    package init(didBeginToWait: @escaping @Sendable (_ limit: Int) -> Void = { _ in }) {
        self.didBeginToWait = didBeginToWait
    }

    /// Bytes of the files as they lie on disk.
    package var total: Int { totalBytes.load(ordering: .relaxed) }
    /// Those that have been read.
    package var read: Int { readBytes.load(ordering: .relaxed) }
    /// Bytes that were read only to see whether a file has changed.
    package var compared: Int { comparedBytes.load(ordering: .relaxed) }
    package var stage: Stage { Stage(rawValue: currentStage.load(ordering: .relaxed)) ?? .reading }
    package var logDates: Dates { lock.withLock { dates } }
    /// Steps of the publishing, done and known so far.
    package var steps: (done: Int, total: Int) {
        (doneSteps.load(ordering: .relaxed), totalSteps.load(ordering: .relaxed))
    }

    /// The wait for a reader that goes on now; nil where there is none.
    package var wait: Wait? {
        lock.withLock {
            guard let lastWait, ContinuousClock.now - lastWait.at < .milliseconds(300) else { return nil }
            return lastWait.wait
        }
    }

    func expect(_ bytes: Int, logDates: Int) {
        totalBytes.add(bytes, ordering: .relaxed)
        lock.withLock { dates.total += logDates }
    }

    func begin(_ date: LogDate) {
        lock.withLock {
            dates.current.append(date)
            dates.current.sort()
        }
    }

    func end(_ date: LogDate) {
        lock.withLock {
            dates.current.removeAll { $0 == date }
            dates.done += 1
        }
    }

    func didRead(_ bytes: Int) {
        readBytes.add(bytes, ordering: .relaxed)
    }

    func didCompare(_ bytes: Int) {
        comparedBytes.add(bytes, ordering: .relaxed)
    }

    func expectSteps(_ count: Int) {
        totalSteps.add(count, ordering: .relaxed)
    }

    func didStep() {
        doneSteps.add(1, ordering: .relaxed)
    }

    func didWait(_ seconds: Double, of limit: Int) {
        let begins = lock.withLock {
            defer { lastWait = (Wait(seconds: seconds, limit: limit), .now) }
            return seconds >= 1 && (lastWait?.wait.seconds ?? 0) < 1
        }
        if begins { didBeginToWait(limit) }
    }

    func enter(_ stage: Stage) {
        currentStage.store(stage.rawValue, ordering: .relaxed)
    }
}
