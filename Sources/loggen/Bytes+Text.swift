import Reference

extension Bytes {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}

extension UInt64 {
    /// In hexadecimal.
    var sixteenDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
