import Calendar
import Events

/// daily_funnel: messages by the day of their first event, platform, delivery and outcome.
package struct DailyFunnel: Sendable {
    /// The number of messages, by row and outcome.
    var table = PackedTable<Int>()

    package init() {}

    /// Adds messages with the same first event. `messages` may be negative.
    @inline(__always)
    mutating func add(first: Event, outcome: MessageOutcome, messages: Int = 1, days: inout DayClock) {
        merge(
            messages,
            at: DailyFunnel.key(
                day: days.day(of: first.time), platform: first.platform, delivery: first.delivery, outcome: outcome))
    }

    /// The key of a row. A day whose date does not have ten characters is moved to the nearest day that has.
    @inline(__always)
    static func key(day: LogDate, platform: Platform, delivery: UInt32, outcome: MessageOutcome) -> PackedKey {
        PackedKey(
            day: day.nearestWritten, rest: delivery, low: UInt64(platform.rawValue) << 16 | UInt64(outcome.rawValue))
    }

    @inline(__always)
    mutating func merge(_ messages: Int, at key: PackedKey) {
        table.update(at: table.index(of: key, initial: 0)) { $0 &+= messages }
    }

    package mutating func merge(_ other: DailyFunnel) {
        for entry in other.table.entries where entry.value != 0 { merge(entry.value, at: entry.key) }
    }

    /// The platform and the outcome of a key.
    static func parts(_ key: PackedKey) -> (Platform, MessageOutcome) {
        (
            Platform(rawValue: UInt8(truncatingIfNeeded: key.low >> 16)) ?? .unknown,
            MessageOutcome(rawValue: UInt16(truncatingIfNeeded: key.low))
        )
    }
}
