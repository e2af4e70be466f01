/// Maps ids to keys of 64 bits: the difference to the lowest id, shifted right until it fits.
struct IDRange: Sendable {
    let lowest: EventID
    /// The number of low bits that a key drops; 0 if the keys are exact.
    let shift: Int
    /// The number of bits of the largest key.
    let bits: Int

    /// `events` must not be empty.
    init(_ events: Span<Event>) {
        var lowest = events[0].id
        var highest = events[0].id
        for index in events.indices {
            lowest = min(lowest, events[index].id)
            highest = max(highest, events[index].id)
        }
        self.init(lowest: lowest, highest: highest)
    }

    init(lowest: EventID, highest: EventID) {
        let width = 128 - (highest.number &- lowest.number).leadingZeroBitCount
        self.lowest = lowest
        shift = max(0, width - 64)
        bits = width - shift
    }

    /// The key of an id. A higher id never has a lower key.
    @inline(__always)
    func key(_ id: EventID) -> UInt64 {
        guard shift > 0 else { return id.low &- lowest.low }
        return UInt64(truncatingIfNeeded: (id.number &- lowest.number) &>> UInt128(truncatingIfNeeded: shift))
    }
}
