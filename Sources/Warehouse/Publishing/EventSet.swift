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

    /// A hash of a set is the sum of this over its places: it differs for different sets, but for one pair in 2^64.
    static func hash(_ place: Int) -> UInt64 {
        var word = UInt64(place) &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
