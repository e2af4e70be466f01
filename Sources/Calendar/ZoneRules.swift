/// A time zone: its offset from UTC at every instant. Instants are seconds since 1970-01-01T00:00:00Z, local times are
/// seconds since 1970-01-01T00:00:00 on the zone's clocks, and offsets are seconds east of UTC.
package struct ZoneRules: Sendable {
    /// The IANA name.
    package let name: String
    /// The name, and a hash of the rules, so that it is another text if a government has changed them. UTC is its name
    /// alone.
    package let version: String
    /// When the offset or its abbreviation changes, in ascending order.
    private let transitions: [Int64]
    /// What clocks show before each transition, and after the last.
    private let types: [LocalTimeType]
    /// From here on the changes of 400 years repeat. The transitions of these years, and of one more on either side,
    /// are in the list.
    private let repeatsFrom: Int64

    /// 400 years in seconds.
    private static let cycle: Int64 = 146_097 * 86_400

    /// A zone that never changes its offset.
    package init(name: String, offset: Int32) {
        self.name = name
        version = name
        transitions = []
        types = [LocalTimeType(offset: offset, abbreviation: name)]
        repeatsFrom = .max
    }

    /// - Parameters:
    ///   - first: what clocks show before the first change.
    ///   - changes: ascending instants, and what clocks show from each of them on.
    ///   - repeatsFrom: see the property; nil if nothing repeats.
    init(name: String, version: String, first: LocalTimeType, changes: [ZoneChange], repeatsFrom: Int64?) {
        assert(zip(changes, changes.dropFirst()).allSatisfy { $0.instant < $1.instant })
        var transitions: [Int64] = []
        var types = [first]
        for change in changes where change.type != types.last {
            transitions.append(change.instant)
            types.append(change.type)
        }
        self.name = name
        self.version = version
        self.transitions = transitions
        self.types = types
        self.repeatsFrom = repeatsFrom ?? .max
    }

    /// UTC, which needs no time zone database.
    package static let utc = ZoneRules(name: "UTC", offset: 0)

    /// The offset at an instant.
    package func offset(at instant: Int64) -> Int64 {
        Int64(types[transitionCount(until: folded(instant))].offset)
    }

    /// The offset at a local time.
    ///
    /// A local time that occurs twice means its earlier instant. A local time that is skipped takes the offset from
    /// before the gap. In Europe/Madrid 2026-10-25 02:30:00 is 00:30:00Z, and 2026-03-29 02:30:00 is 01:30:00Z, which
    /// is 03:30:00 there.
    package func offset(atLocal local: Int64) -> Int64 {
        let local = folded(local)
        // No offset is larger than 26 hours, so the one at this instant has not ended before the local time.
        var index = transitionCount(until: local - 2 * 26 * 3600)
        // An offset ends when its own clocks show `transition + offset`. Where clocks are set forward, it holds for the
        // times that they skip as well.
        while index < transitions.count,
            local >= transitions[index] + Int64(max(types[index].offset, types[index + 1].offset))
        {
            index += 1
        }
        return Int64(types[index].offset)
    }

    /// What clocks show from one instant to another, as a text. Where the texts are equal, so are the rules.
    package func text(from first: Int64, to last: Int64) -> String {
        let start = folded(first)
        let index = transitionCount(until: start)
        let changes = transitions[index...].prefix { $0 <= start + last - first }.indices.map {
            "\(transitions[$0] - start) \(types[$0 + 1].offset) \(types[$0 + 1].abbreviation)"
        }
        return (["\(types[index].offset) \(types[index].abbreviation)"] + changes).joined(separator: "; ")
    }

    /// The same time in the first 400 years of the rule that repeats for ever. The calendar repeats after 400 years,
    /// with its weekdays.
    private func folded(_ time: Int64) -> Int64 {
        guard time >= repeatsFrom else { return time }
        return repeatsFrom + (time - repeatsFrom) % ZoneRules.cycle
    }

    /// The number of transitions at or before an instant.
    private func transitionCount(until instant: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
