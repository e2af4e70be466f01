/// A time zone: its offset from UTC at every instant. Instants are seconds since 1970-01-01T00:00:00Z, local times are
/// seconds since 1970-01-01T00:00:00 on the zone's clocks, and offsets are seconds east of UTC.
package struct ZoneRules: Sendable {
    /// The IANA name.
    package let name: String
    /// The name, and a hash of the rules, so that it is another text if a government has changed them. UTC is its name
    /// alone.
    package let version: String
    /// When the offset changes, in ascending order.
    private let transitions: [Int64]
    /// The offset before each transition, and the one after the last.
    private let offsets: [Int32]

    /// A zone that never changes its offset.
    package init(name: String, offset: Int32) {
        self.name = name
        version = name
        transitions = []
        offsets = [offset]
    }

    /// - Parameters:
    ///   - first: the offset before the first change.
    ///   - changes: ascending instants, and the offset from each of them on.
    init(name: String, version: String, first: Int32, changes: [ZoneChange]) {
        var transitions: [Int64] = []
        var offsets = [first]
        for change in changes where change.offset != offsets.last {
            transitions.append(change.instant)
            offsets.append(change.offset)
        }
        self.name = name
        self.version = version
        self.transitions = transitions
        self.offsets = offsets
    }

    /// UTC, which needs no time zone database.
    package static let utc = ZoneRules(name: "UTC", offset: 0)

    /// The offset at an instant.
    package func offset(at instant: Int64) -> Int64 {
        Int64(offsets[transitionCount(until: instant)])
    }

    /// The local times around `local` that have the same offset, and this offset.
    ///
    /// A local time that occurs twice means its earlier instant. A local time that is skipped takes the offset from
    /// before the gap. In Europe/Madrid 2026-10-25 02:30:00 is 00:30:00Z, and 2026-03-29 02:30:00 is 01:30:00Z, which is
    /// 03:30:00 there.
    func offset(atLocal local: Int64) -> (offset: Int64, range: Range<Int64>) {
        // An offset ends on local clocks when they show `transition + offset`; later repetitions belong to it as well.
        // No offset is larger than 26 hours, so this one has not ended before the time that the search begins at.
        var index = transitionCount(until: local - 2 * 26 * 3600)
        var begin = Int64.min
        while index < transitions.count {
            let offset = Int64(offsets[index])
            let end = transitions[index] + offset
            if local < end { return (offset, begin..<end) }
            // Clocks that are set forward skip to here.
            let resumed = transitions[index] + Int64(offsets[index + 1])
            if local < resumed { return (offset, end..<resumed) }
            begin = max(end, resumed)
            index += 1
        }
        return (Int64(offsets[index]), begin..<Int64.max)
    }

    /// The number of transitions at or before an instant.
    private func transitionCount(until instant: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
