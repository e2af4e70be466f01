import Foundation

/// A zone's offsets from UTC for local times, looked up once an hour of them.
///
/// A local time that happens twice is its earlier instant; one that is skipped is read with the offset from before the
/// gap. In Europe/Madrid 2026-10-25 02:30:00 is 00:30:00Z, and 2026-03-29 02:30:00 is 01:30:00Z, 03:30:00 there.
package struct ZoneOffsets {
    private let zone: TimeZone
    /// The hour that the rest is about, counted from 1970-01-01T00:00:00 on the zone's own clock.
    private var hour = Int64.min
    private var before: Int64 = 0
    private var after: Int64 = 0
    /// The instant at which `after` begins to hold, in seconds.
    private var transition = Int64.max

    package init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// Seconds east of UTC at this local time, which is in seconds since 1970-01-01T00:00:00 of that clock.
    package mutating func offset(atLocal seconds: Int64) -> Int64 {
        let hour = seconds >= 0 ? seconds / 3600 : (seconds - 3599) / 3600
        if hour != self.hour { look(up: hour) }
        if seconds - before < transition { return before }
        return seconds - after >= transition ? after : before
    }

    private mutating func look(up hour: Int64) {
        // No clock differs from UTC by more than 14 hours, so the hour's instants lie between these.
        var early = hour * 3600 - 15 * 3600
        var late = hour * 3600 + 16 * 3600
        self.hour = hour
        before = offset(at: early)
        after = offset(at: late)
        transition = .max
        guard before != after else { return }
        while late - early > 1 {
            let middle = early + (late - early) / 2
            if offset(at: middle) == before { early = middle } else { late = middle }
        }
        transition = late
    }

    private func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
    }
}
