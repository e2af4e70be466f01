/// Some of a partition's events, by their places: a bit an event.
struct EventSet: Sendable {
    private var words: [UInt64]

    init(events: Int) {
        words = Array(repeating: 0, count: (events + 63) / 64)
    }

    mutating func insert(_ places: [Int]) {
        for place in places { words[place >> 6] |= 1 &<< UInt64(place & 63) }
    }

    func contains(_ place: Int) -> Bool {
        words[place >> 6] &>> UInt64(place & 63) & 1 != 0
    }

    /// Differs for different sets, but for one pair in 2^64.
    var hash: UInt64 {
        var state: UInt64 = 0
        for word in words {
            let product = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
            state = product ^ (product >> 32)
        }
        return state
    }
}
