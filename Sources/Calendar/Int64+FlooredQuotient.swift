extension Int64 {
    /// The quotient rounded down, where `/` rounds towards zero. The divisor must be positive.
    @inline(__always)
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        assert(divisor > 0)
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
