import Events

extension UserAgent {
    /// The same as `platform` for the user agent that begins at `start` and ends at the next quote. Returns nil if
    /// there is no quote in the line, an escape may matter, or a request may follow. 64 bytes can be loaded from each offset
    /// up to `end`.
    ///
    /// The user agents of the SDKs are recognized by their beginnings, if they end with the line.
    @inline(__always)
    static func fastPlatform(
        _ line: UncheckedBytes, from start: Int, to end: Int, _ marks: LineMarks.View
    ) -> Platform? {
        guard line[end &- 1] == quote, line[end &- 2] != backslash else {
            return scan(line, from: start, to: end, isIOS: false)
        }
        let first = line.word(at: start)
        if first & 0xFF_FFFF_FFFF_FFFF == dalvikWord {
            let isAlone = marks.firstQuote(from: start &+ 7, to: end) == end &- 1
            return isAlone ? .android : scan(line, from: start, to: end, isIOS: false)
        }
        guard first == 0x2F61_6C6C_697A_6F4D else {  // `Mozilla/`
            return scan(line, from: start, to: end, isIOS: false)
        }
        switch line.word(at: start &+ 8) {
        case 0x6E69_4C28_2030_2E35:  // `5.0 (Lin`, `ux; U; Android` or `ux; Android`
            let rest = line.word(at: start &+ 16)
            let isAndroid =
                rest == 0x4120_3B55_203B_7875 && line.word(at: start &+ 23) & 0xFF_FFFF_FFFF_FFFF == androidWord
                || rest == 0x7264_6E41_203B_7875 && line.halfWord(at: start &+ 24) & 0xFF_FFFF == 0x64_696F
            // 27 bytes have been checked.
            guard isAndroid, marks.firstQuote(from: start &+ 27, to: end) == end &- 1 else {
                return scan(line, from: start, to: end, isIOS: false)
            }
            return .android
        case 0x6850_6928_2030_2E35:  // `5.0 (iPh`, `one`
            guard line.halfWord(at: start &+ 16) & 0xFF_FFFF == 0x65_6E6F else {
                return scan(line, from: start, to: end, isIOS: false)
            }
            let rest = afterIPhone(line, start)
            // In fewer than 8 bytes there is no room for `Android`, for an escape of it, or for a request, before the last quote.
            return end &- rest < 8 ? .ios : scan(line, from: rest, to: end, isIOS: true)
        default: return scan(line, from: start, to: end, isIOS: false)
        }
    }

    /// The offset after `Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; `, or `start` if the user agent continues in
    /// another way. The first 19 bytes have been checked. At least 52 bytes follow `start`.
    @inline(__always)
    private static func afterIPhone(_ text: UncheckedBytes, _ start: Int) -> Int {
        guard text.word(at: start &+ 16) == 0x5550_4320_3B65_6E6F, text.halfWord(at: start &+ 24) == 0x2053_4F20
        else { return start }
        let version = text.word(at: start &+ 28)
        let low = version & eight(0x7F)
        let digit = (low &+ eight(0x50)) & ~(low &+ eight(0x46))
        let underscore = ~((low ^ eight(0x5F)) &+ eight(0x7F))
        let length = (~((digit | underscore) & ~version) & eight(0x80)).trailingZeroBitCount >> 3
        let next = start &+ 28 &+ length
        guard text.word(at: next) == 0x614D_2065_6B69_6C20, text.word(at: next &+ 8) == 0x203B_5820_534F_2063
        else { return start }
        return next &+ 16
    }

    /// Scans 64 bytes per step for the end and for bytes of the markers that are rare elsewhere. No marker contains a
    /// quote, so none extends across the quote before `start`.
    @inline(never)
    private static func scan(
        _ line: UncheckedBytes, from start: Int, to end: Int, isIOS: Bool
    ) -> Platform? {
        var isAndroid = false
        var isIOS = isIOS
        var index = start
        while index < end {
            let marks = line.agent(at: index)
            let length = marks.ends.trailingZeroBitCount
            // The bytes before the end of the user agent and of the line.
            let within = UInt64.max >> UInt64(64 &- min(length, end &- index))
            var candidates = marks.android & within
            while candidates != 0, !isAndroid {
                isAndroid = isAndroidMarker(line, index &+ candidates.trailingZeroBitCount)
                candidates &= candidates &- 1
            }
            candidates = marks.ios & within
            while candidates != 0, !isIOS {
                isIOS = isIOSMarker(line, index &+ candidates.trailingZeroBitCount)
                candidates &= candidates &- 1
            }
            index &+= length
            guard length == 64 else {
                guard index < end, line[index] == quote, !mayHoldRequest(line, from: index &+ 1, to: end) else {
                    return nil
                }
                return isAndroid ? .android : isIOS ? .ios : .unknown
            }
        }
        return nil
    }

    /// Whether the end of `GET ` or `POST ` occurs. 64 bytes can be loaded from each offset up to `end`.
    @inline(never)
    static func mayHoldRequest(_ line: UncheckedBytes, from start: Int, to end: Int) -> Bool {
        var index = start
        while index < end {
            let within = UInt64.max >> UInt64(64 &- min(64, end &- index))
            let found = line.mask(of: UInt8(ascii: "T"), at: index) & line.mask(of: 0x20, at: index &+ 1)
            guard found & within == 0 else { return true }
            index = index &+ 64
        }
        return false
    }

    /// Whether the `o` of `Android` or the `v` of `Dalvik/` is at this offset.
    @inline(__always)
    private static func isAndroidMarker(_ line: UncheckedBytes, _ offset: Int) -> Bool {
        (line.word(at: offset &- 4) ^ androidWord) << 8 == 0 || (line.word(at: offset &- 3) ^ dalvikWord) << 8 == 0
    }

    /// Whether the second letter of an iOS marker is at this offset.
    @inline(__always)
    private static func isIOSMarker(_ line: UncheckedBytes, _ offset: Int) -> Bool {
        let word = line.word(at: offset &- 1)
        return word << 16 == 0x656E_6F68_5069 << 16  // `iPhone`
            || word << 32 == 0x6461_5069 << 32  // `iPad`
            || word << 8 == 0x20_534F_2055_5043 << 8  // `CPU OS `
            || word == 0x726F_7774_654E_4643 && line.halfWord(at: offset &+ 7) & 0xFFFF == 0x2F6B  // `CFNetwork/`
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let androidWord = 0x64_696F_7264_6E41 as UInt64
    private static let dalvikWord = 0x2F_6B69_766C_6144 as UInt64  // `Dalvik/`
}

/// A word of eight equal bytes.
@inline(__always)
private func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
