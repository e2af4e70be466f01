import Events
import Foundation

/// The times that a payload may claim: from `days` · 24 h before `start` to 24 h after `end`, that moment excluded.
package struct LogWindow: Equatable, Sendable {
    /// 00:00 of the log date in the pipeline's zone, in milliseconds since 1970-01-01T00:00:00Z.
    package var start: Int64
    /// 00:00 of the day after.
    package var end: Int64
    /// The pipeline's `window_days`.
    package var days: Int

    package init(start: Int64, end: Int64, days: Int) {
        self.start = start
        self.end = end
        self.days = days
    }

    func holds(_ time: Int64) -> Bool {
        time >= start - Int64(days) * 86_400_000 && time < end + 86_400_000
    }
}
