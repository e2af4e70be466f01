/// Delivery ids as Adobe Campaign's lists have them: the decimal value, as a signed number of 32 bits where that is
/// negative. The logs have its hexadecimal digits: `-2` is `fffffffe`.
enum DecimalDeliveryID {
    /// The id as the logs have it; nil if it is no number, or out of range.
    static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.first == UInt8(ascii: "-") else {
            guard let value = bytes.wholeNumber, value > 0 else { return nil }
            return String(value, radix: 16)
        }
        guard let value = bytes.dropFirst().wholeNumber, value > 0, value <= 1 << 31 else { return nil }
        return String(UInt32(1 << 32 - value), radix: 16)
    }
}

extension ArraySlice<UInt8> {
    /// The number that these decimal digits are; nil if there are other bytes or none, or it has more than 64 bits.
    var wholeNumber: UInt64? {
        allSatisfy { (0x30...0x39).contains($0) } ? UInt64(String(decoding: self, as: UTF8.self)) : nil
    }
}
