extension Int {
    /// The sum; nil if it is too large.
    func adding(_ other: Int) -> Int? {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? nil : sum
    }
}
