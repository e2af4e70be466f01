extension Span<UInt8> {
    /// The number of exactly this many decimal digits; nil if there is another byte.
    @inline(__always)
    func number(at start: Int, digits: Int) -> Int? {
        var number = 0
        for index in start..<start + digits {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
