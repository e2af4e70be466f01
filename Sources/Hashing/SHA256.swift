/// SHA-256 (FIPS 180-4) of a text in memory.
///
/// The text is padded to a multiple of 64 bytes: a byte 0x80, zeros, and the length in bits as eight bytes, highest
/// first. Each block of 64 bytes updates the state of eight words. The final state is the digest.
package enum SHA256 {
    /// The digest as eight words; the highest byte of a word comes first.
    package static func digest(_ text: Span<UInt8>) -> InlineArray<8, UInt32> {
        var state = initialState
        var offset = 0
        while offset + 64 <= text.count {
            update(&state) { text[offset + $0] }
            offset += 64
        }
        let rest = text.count - offset
        var padding = InlineArray<128, UInt8>(repeating: 0)
        for index in 0..<rest { padding[index] = text[offset + index] }
        padding[rest] = 0x80
        let length = rest < 56 ? 64 : 128
        let bits = UInt64(text.count) * 8
        for index in 0..<8 { padding[length - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
        for start in stride(from: 0, to: length, by: 64) { update(&state) { padding[start + $0] } }
        return state
    }

    /// Updates the state with a block of 64 bytes; `byte` returns the byte at an offset in the block.
    private static func update(_ state: inout InlineArray<8, UInt32>, byte: (Int) -> UInt8) {
        var words = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            for offset in 0..<4 { words[index] = words[index] << 8 | UInt32(byte(4 * index + offset)) }
        }
        for index in 16..<64 {
            let a = words[index - 15]
            let b = words[index - 2]
            let small = rotated(a, by: 7) ^ rotated(a, by: 18) ^ a >> 3
            let large = rotated(b, by: 17) ^ rotated(b, by: 19) ^ b >> 10
            words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
        }
        // `s` holds the standard's variables a to h.
        var s = state
        for index in 0..<64 {
            let choice = s[4] & s[5] ^ ~s[4] & s[6]
            let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
            let first =
                s[7] &+ (rotated(s[4], by: 6) ^ rotated(s[4], by: 11) ^ rotated(s[4], by: 25)) &+ choice
                &+ constants[index]
                &+ words[index]
            let second = (rotated(s[0], by: 2) ^ rotated(s[0], by: 13) ^ rotated(s[0], by: 22)) &+ majority
            s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ s[index] }
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    /// The first 32 bits of the fractions of the square roots of the first eight primes.
    private static let initialState: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
