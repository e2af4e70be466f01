/// The 128-bit hash FNV-1a of Fowler, Noll and Vo: for each byte, an exclusive or, then a multiplication by a prime. It
/// is the same on every machine. It is not cryptographic.
package struct FNV1a {
    private var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    package init() {}

    /// Adds the UTF-8 bytes of a text.
    package mutating func add(_ text: String) {
        for byte in text.utf8 {
            value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
    }

    /// The hash as 32 hexadecimal digits.
    package var text: String { value.hexDigits }
}
