import Calendar
import Foundation
import Synchronization

/// The progress of a command. Workers add to it, a display reads it now and then.
///
/// `@unchecked Sendable`: `dates` and `lastWait` are only touched under the lock; everything else is atomic.
package final class LoadProgress: @unchecked Sendable {
    /// What the command is doing now.
    package enum Stage: Int, Sendable {
        case reading, comparing, merging, publishing
    }

    /// The log dates to be loaded.
    package struct Dates: Sendable {
        package var total = 0
        package var done = 0
        /// Log dates that are being loaded, in order.
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
    /// Called once, when the wait for a reader has taken a second, so that it is logged where no display is shown.
    private let didBeginToWait: @Sendable (_ limit: Int) -> Void

    /// `didBeginToWait` is called from any thread.
    package init(didBeginToWait: @escaping @Sendable (_ limit: Int) -> Void = { _ in }) {
        self.didBeginToWait = didBeginToWait
    }

    /// Bytes of the files on disk.
    package var total: Int { totalBytes.load(ordering: .relaxed) }
    /// Bytes that have been read.
    package var read: Int { readBytes.load(ordering: .relaxed) }
    /// Bytes read only to compare files.
    package var compared: Int { comparedBytes.load(ordering: .relaxed) }
    /// The present stage.
    package var stage: Stage { Stage(rawValue: currentStage.load(ordering: .relaxed)) ?? .reading }
    /// The log dates, as they are now.
    package var logDates: Dates { lock.withLock { dates } }
    /// Steps of publishing: done, and known so far.
    package var steps: (done: Int, total: Int) {
        (doneSteps.load(ordering: .relaxed), totalSteps.load(ordering: .relaxed))
    }

    /// The present wait for a reader; nil if there is none.
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
