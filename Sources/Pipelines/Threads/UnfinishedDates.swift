import Calendar
import Foundation

/// The log dates that a command is loading. A load may wait until others have ended.
///
/// No two loads wait for each other: a log date waits for earlier ones only, and the earlier ones are begun first. Each must
/// be finished, however it ends, also if the command is stopped.
///
/// `@unchecked Sendable`: `dates` is only touched under the condition's lock.
final class UnfinishedDates: @unchecked Sendable {
    private let condition = NSCondition()
    private var dates: Set<LogDate>

    init(_ dates: [LogDate]) {
        self.dates = Set(dates)
    }

    func finish(_ date: LogDate) {
        condition.withLock {
            dates.remove(date)
            condition.broadcast()
        }
    }

    /// Waits until none of these log dates is being loaded.
    ///
    /// - Throws: `Stopped` if the stop flag is raised meanwhile.
    func wait(for others: [LogDate], stop: StopFlag) throws(Stopped) {
        condition.withLock {
            while !dates.isDisjoint(with: others) { condition.wait() }
        }
        try stop.check()
    }
}
