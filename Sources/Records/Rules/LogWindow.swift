/// The plausible times of a payload: from `days` · 24 h before `start` up to, and excluding, 24 h after `end`.
package struct LogWindow: Equatable, Sendable {
    /// 00:00 of the log date in the pipeline's zone, in milliseconds since 1970-01-01T00:00:00Z.
    package var start: Int64
    /// 00:00 of the next day, in the same unit.
    package var end: Int64
    /// The key `window_days` of the pipeline file.
    package var days: Int

    package init(start: Int64, end: Int64, days: Int) {
        self.start = start
        self.end = end
        self.days = days
    }

    package func holds(_ time: Int64) -> Bool {
        time >= first && time < last
    }

    private var first: Int64 { start - Int64(days) * 86_400_000 }
    private var last: Int64 { end + 86_400_000 }

    /// Whether the bounds could lie on the other side of a time by other rules of the zone: two offsets differ by at most 26
    /// hours.
    package func isNearBound(_ time: Int64) -> Bool {
        let most: Int64 = 26 * 3_600_000
        return first - most...first + most ~= time || last - most...last + most ~= time
    }
}
