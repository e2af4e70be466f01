extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in hexadecimal digits, lower case, with leading zeros: 16 digits for a `UInt64`.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
