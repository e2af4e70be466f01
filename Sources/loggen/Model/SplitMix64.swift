/// The generator of all chance here: small, fast, the same on every machine.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number from 0 to `limit` − 1.
    mutating func below(_ limit: Int) -> Int {
        Int(Self.scale(next(), to: UInt64(limit)))
    }

    /// True `count` times in a thousand.
    mutating func perMille(_ count: Int) -> Bool {
        below(1000) < count
    }

    mutating func pick<T>(_ values: [T]) -> T {
        values[below(values.count)]
    }

    /// Spreads a number's bits: what hangs on a place (date, file, index) is drawn by this, without a state.
    static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Maps 64 random bits to 0 ..< limit.
    static func scale(_ bits: UInt64, to limit: UInt64) -> UInt64 {
        bits.multipliedFullWidth(by: limit).high
    }
}
