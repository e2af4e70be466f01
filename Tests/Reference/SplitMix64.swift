/// A small random generator. Its numbers depend only on the seed.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// Spreads the bits of a number. Equal numbers give equal ones.
    package static func mix(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True in `percent` of 100 cases.
    package mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    package mutating func below(_ count: Int) -> Int {
        Int(next() % UInt64(max(1, count)))
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    package mutating func pick<T>(_ choices: [T]) -> T {
        choices[below(choices.count)]
    }

    package mutating func shuffle<T>(_ array: [T]) -> [T] {
        var array = array
        for index in array.indices.reversed() { array.swapAt(index, below(index + 1)) }
        return array
    }
}
