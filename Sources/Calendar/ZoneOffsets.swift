import Foundation

/// The offsets of a time zone from UTC, by local time. The last local hour is cached.
///
/// A local time that occurs twice means its earlier instant. A local time that is skipped takes the offset from before
/// the gap. In Europe/Madrid 2026-10-25 02:30:00 is 00:30:00Z, and 2026-03-29 02:30:00 is 01:30:00Z, which is 03:30:00
/// there.
package struct ZoneOffsets {
    private let zone: TimeZone
    /// The cached hour, counted from 1970-01-01T00:00:00 local time.
    private var hour = Int64.min
    /// The offsets before and after the transition, in seconds east of UTC.
    private var before: Int64 = 0
    private var after: Int64 = 0
    /// The instant of the transition in seconds since 1970-01-01T00:00:00Z; `Int64.max` if the hour has no transition.
    private var transition = Int64.max

    /// The offsets of `zone`, with an empty cache.
    package init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// The offset in seconds east of UTC at a local time. `seconds` counts from 1970-01-01T00:00:00 local time.
    package mutating func offset(atLocal seconds: Int64) -> Int64 {
        let hour = seconds >= 0 ? seconds / 3600 : (seconds - 3599) / 3600
        if hour != self.hour { look(up: hour) }
        if seconds - before < transition { return before }
        return seconds - after >= transition ? after : before
    }

    private mutating func look(up hour: Int64) {
        // No offset is larger than 14 hours, so the instants of this hour are between these two.
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
