import Events

extension UserAgent {
    /// As `platform`, in one pass of sixteen bytes a step; nil if the text holds a backslash, and so perhaps an escape.
    ///
    /// The two bytes that begin a marker are rare elsewhere, so they are looked for first. `Android` and `Dalvik/` win
    /// at once; the others must wait for the end.
    /// - Parameters:
    ///   - start: of the user agent; `end` is behind it. Both lie in `text`, which has 17 bytes or more.
    static func quickPlatform(_ text: UncheckedBytes, _ start: Int, _ end: Int) -> Platform? {
        var index = start
        var speaksOfIOS = false
        // What the SDKs send needs no search; 52 bytes hold all that is loaded for it.
        if text.count &- start >= 52, text.word(at: start) == 0x2F61_6C6C_697A_6F4D {  // `Mozilla/`
            let second = text.word(at: start &+ 8)
            if second == 0x6850_6928_2030_2E35, let rest = behindIPhone(text, start), rest <= end {
                // `Android` or an escape for it no longer fits in there.
                if end &- rest < 7 { return .ios }
                speaksOfIOS = true
                index = rest
            } else if second == 0x6E69_4C28_2030_2E35, text.word(at: start &+ 16) == 0x4120_3B55_203B_7875,
                text.word(at: start &+ 22) == 0x6469_6F72_646E_4120, start &+ 30 <= end
            {
                return .android
            }
        }
        let last = text.count &- 17
        while index < end {
            // The last step may see bytes again, or ones beyond the end; what it finds there does not count.
            let step = min(index, last)
            let first = text.vector(at: step)
            let second = text.vector(at: step &+ 1)
            var android = Lanes(
                pairs(first, "A", second, "n") | pairs(first, "D", second, "a")
                    | zeros(first ^ SIMD16(repeating: UInt8(ascii: "\\"))))
            while let lane = android.next() {
                let place = step &+ lane
                guard place >= index, place < end else { continue }
                if text[place] == UInt8(ascii: "\\") { return nil }
                if isAndroid(text, place, end) { return .android }
            }
            if !speaksOfIOS {
                var ios = Lanes(
                    pairs(first, "i", second, "P") | pairs(first, "C", second, "P") | pairs(first, "C", second, "F"))
                while let lane = ios.next() {
                    let place = step &+ lane
                    if place >= index, place < end, isIOS(text, place, end) { speaksOfIOS = true }
                }
            }
            index = step &+ 16
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

    /// Behind `Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; `, the first 16 bytes of which are known to stand there.
    @inline(__always)
    private static func behindIPhone(_ text: UncheckedBytes, _ start: Int) -> Int? {
        guard text.word(at: start &+ 16) == 0x5550_4320_3B65_6E6F, text.halfWord(at: start &+ 24) == 0x2053_4F20
        else { return nil }
        let version = text.word(at: start &+ 28)
        let low = version & eight(0x7F)
        let digit = (low &+ eight(0x50)) & ~(low &+ eight(0x46))
        let underscore = ~((low ^ eight(0x5F)) &+ eight(0x7F))
        let length = (~((digit | underscore) & ~version) & eight(0x80)).trailingZeroBitCount >> 3
        let next = start &+ 28 &+ length
        guard text.word(at: next) == 0x614D_2065_6B69_6C20, text.word(at: next &+ 8) == 0x203B_5820_534F_2063
        else { return nil }
        return next &+ 16
    }

    /// A byte with the top bit set for each byte that is 0, one without for the others. Swift compiles this to vector instructions, unlike comparisons of vectors.
    @inline(__always)
    private static func zeros(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        (bytes &- SIMD16(repeating: 1)) & ~bytes
    }

    @inline(__always)
    private static func isAndroid(_ text: UncheckedBytes, _ place: Int, _ end: Int) -> Bool {
        let word = word(text, place, end)
        return word & 0xFF_FFFF_FFFF_FFFF == 0x64_696F_7264_6E41  // `Android`
            || word & 0xFF_FFFF_FFFF_FFFF == 0x2F_6B69_766C_6144  // `Dalvik/`
    }

    @inline(__always)
    private static func isIOS(_ text: UncheckedBytes, _ place: Int, _ end: Int) -> Bool {
        let word = word(text, place, end)
        return word & 0xFFFF_FFFF_FFFF == 0x656E_6F68_5069  // `iPhone`
            || word & 0xFFFF_FFFF == 0x6461_5069  // `iPad`
            || word & 0xFF_FFFF_FFFF_FFFF == 0x20_534F_2055_5043  // `CPU OS `
            || word == 0x726F_7774_654E_4643 && self.word(text, place + 8, end) & 0xFFFF == 0x2F6B  // `CFNetwork/`
    }

    /// The eight bytes from `place` on; 0 for those behind `end`.
    @inline(__always)
    private static func word(_ text: UncheckedBytes, _ place: Int, _ end: Int) -> UInt64 {
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
