import Foundation
import LogFiles
import Synchronization

/// How far a command is, for whoever wants to show it. Workers add, a display reads now and then.
///
/// `@unchecked Sendable`: `dates` is only touched under the lock, and all else is atomic.
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

    private let totalBytes = Atomic<Int>(0)
    private let readBytes = Atomic<Int>(0)
    private let comparedBytes = Atomic<Int>(0)
    private let currentStage = Atomic<Int>(0)
    private let lock = NSLock()
    private var dates = Dates()

    package init() {}

    /// Bytes of the files as they lie on disk.
    package var total: Int { totalBytes.load(ordering: .relaxed) }
    /// Those that have been read.
    package var read: Int { readBytes.load(ordering: .relaxed) }
    /// Bytes that were read only to see whether a file has changed.
    package var compared: Int { comparedBytes.load(ordering: .relaxed) }
    package var stage: Stage { Stage(rawValue: currentStage.load(ordering: .relaxed)) ?? .reading }
    package var logDates: Dates { lock.withLock { dates } }

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

    func enter(_ stage: Stage) {
        currentStage.store(stage.rawValue, ordering: .relaxed)
    }
}
