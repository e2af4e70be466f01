import Events

extension UserAgent {
    /// As `platform`, in one pass of sixteen bytes a step; nil if the range holds a backslash, and so perhaps an escape.
    ///
    /// The two bytes that begin a marker are rare elsewhere, so they are looked for first. `Android` and `Dalvik/` win
    /// at once; the others must wait for the end.
    /// - Parameter range: lies in a text of 17 bytes or more.
    @inline(__always)
    static func quickPlatform(_ text: Span<UInt8>, _ range: Range<Int>) -> Platform? {
        var speaksOfIOS = false
        var index = range.lowerBound
        // What the SDKs send: `Mozilla/5.0 (iPhone; …` and `Mozilla/5.0 (Linux; U; Android …`.
        if range.count >= 32, text.word(at: index) == 0x2F61_6C6C_697A_6F4D {
            let second = text.word(at: index + 8)
            if second == 0x6850_6928_2030_2E35, text.halfWord(at: index + 16) == 0x3B65_6E6F {
                speaksOfIOS = true
                index += 16
            } else if second == 0x6E69_4C28_2030_2E35, text.word(at: index + 16) == 0x4120_3B55_203B_7875,
                text.word(at: index + 22) == 0x6469_6F72_646E_4120
            {
                return .android
            }
        }
        while index < range.upperBound {
            // The last step may see bytes again, or ones beyond the range; what it finds is compared with the range.
            let start = min(index, text.count - 17)
            let first = text.vector(at: start)
            let second = text.vector(at: start + 1)
            var android = Lanes(
                pairs(first, "A", second, "n") | pairs(first, "D", second, "a")
                    | zeros(first ^ SIMD16(repeating: UInt8(ascii: "\\"))))
            while let lane = android.next() {
                let place = start + lane
                guard range.contains(place) else { continue }
                if text[place] == UInt8(ascii: "\\") { return nil }
                if isAndroid(text, place, range.upperBound) { return .android }
            }
            if !speaksOfIOS {
                var ios = Lanes(
                    pairs(first, "i", second, "P") | pairs(first, "C", second, "P") | pairs(first, "C", second, "F"))
                while let lane = ios.next() {
                    let place = start + lane
                    if range.contains(place), isIOS(text, place, range.upperBound) { speaksOfIOS = true }
                }
            }
            index = start &+ 16
        }
        return speaksOfIOS ? .ios : .unknown
    }

    /// The same for each byte that is `a` and has `b` behind it.
    @inline(__always)
    private static func pairs(
        _ first: SIMD16<UInt8>, _ a: Unicode.Scalar, _ second: SIMD16<UInt8>, _ b: Unicode.Scalar
    ) -> SIMD16<UInt8> {
        zeros((first ^ SIMD16(repeating: UInt8(ascii: a))) | (second ^ SIMD16(repeating: UInt8(ascii: b))))
    }

    /// A byte with the top bit set for each byte that is 0, one without for the others. Swift compiles this to vector instructions, unlike comparisons of vectors.
    @inline(__always)
    private static func zeros(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        (bytes &- SIMD16(repeating: 1)) & ~bytes
    }

    @inline(__always)
    private static func isAndroid(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        let word = word(text, place, end)
        return word & 0xFF_FFFF_FFFF_FFFF == 0x64_696F_7264_6E41  // `Android`
            || word & 0xFF_FFFF_FFFF_FFFF == 0x2F_6B69_766C_6144  // `Dalvik/`
    }

    @inline(__always)
    private static func isIOS(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        let word = word(text, place, end)
        return word & 0xFFFF_FFFF_FFFF == 0x656E_6F68_5069  // `iPhone`
            || word & 0xFFFF_FFFF == 0x6461_5069  // `iPad`
            || word & 0xFF_FFFF_FFFF_FFFF == 0x20_534F_2055_5043  // `CPU OS `
            || word == 0x726F_7774_654E_4643 && self.word(text, place + 8, end) & 0xFFFF == 0x2F6B  // `CFNetwork/`
    }

    /// The eight bytes from `place` on; 0 for those behind `end`.
    @inline(__always)
    private static func word(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> UInt64 {
        if place + 8 <= end { return text.word(at: place) }
        var word = 0 as UInt64
        for index in stride(from: end - 1, through: place, by: -1) { word = word << 8 | UInt64(text[index]) }
        return word
    }
}

/// The bytes of a vector that have their top bit set, from the first one on.
private struct Lanes {
    private var low: UInt64
    private var high: UInt64

    @inline(__always)
    init(_ bytes: SIMD16<UInt8>) {
        // Sixteen bytes are two words, whatever they hold.
        let words = unsafeBitCast(bytes & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
        low = UInt64(littleEndian: words[0])
        high = UInt64(littleEndian: words[1])
    }

    @inline(__always)
    mutating func next() -> Int? {
        if low != 0 {
            let lane = low.trailingZeroBitCount >> 3
            low &= low &- 1
            return lane
        }
        guard high != 0 else { return nil }
        let lane = 8 + (high.trailingZeroBitCount >> 3)
        high &= high &- 1
        return lane
    }
}
