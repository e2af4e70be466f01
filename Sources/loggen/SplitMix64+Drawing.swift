import Reference

/// All chance here. Each draw takes one number.
extension SplitMix64 {
    /// A number from 0 to `limit` − 1.
    mutating func draw(_ limit: Int) -> Int { Int(Self.scale(next(), to: UInt64(limit))) }

    /// True `count` times in a thousand.
    mutating func perMille(_ count: Int) -> Bool { draw(1000) < count }

    mutating func one<T>(of values: [T]) -> T { values[draw(values.count)] }

    /// Maps 64 random bits to 0 ..< limit.
    static func scale(_ bits: UInt64, to limit: UInt64) -> UInt64 { bits.multipliedFullWidth(by: limit).high }
}

extension UInt64 {
    /// In hexadecimal.
    var sixteenDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
