/// Maps ids to keys of 64 bits: the difference to the lowest id, shifted right until it fits.
struct IDRange {
    let lowest: EventID
    /// The number of low bits that a key drops; 0 if the keys are exact.
    let shift: Int
    /// The number of bits of the largest key.
    let bits: Int

    /// `events` must not be empty.
    init(_ events: Span<Event>) {
        var lowest = events[0].id
        var highest = lowest
        for index in events.indices {
            let id = events[index].id
            if id < lowest { lowest = id }
            if highest < id { highest = id }
        }
        self.init(lowest, highest)
    }

    init(_ lowest: EventID, _ highest: EventID) {
        let spread = highest.difference(to: lowest)
        self.lowest = lowest
        shift = bitWidth(of: spread.high)
        bits = bitWidth(of: spread.shifted(by: shift))
    }

    /// The key of an id. A higher id never has a lower key.
    @inline(__always)
    func key(_ id: EventID) -> UInt64 { id.difference(to: lowest).shifted(by: shift) }
}

extension EventID {
    @inline(__always)
    fileprivate func difference(to lower: EventID) -> EventID {
        let (low, borrow) = low.subtractingReportingOverflow(lower.low)
        return EventID(high: high &- lower.high &- (borrow ? 1 : 0), low: low)
    }

    /// The low word of this id shifted right by 0 to 64 bits.
    @inline(__always)
    fileprivate func shifted(by shift: Int) -> UInt64 {
        if shift == 0 { return low }
        if shift == 64 { return high }
        return high &<< UInt64(64 &- shift) | low &>> UInt64(shift)
    }
}
