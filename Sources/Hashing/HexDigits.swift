extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in lower-case hexadecimal digits with leading zeros: 16 digits for a `UInt64`.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
