import Events

/// Finds the platform of a user agent.
enum UserAgent {
    // Computed, so that the compiler knows the texts where the fast path compares them.
    @inline(__always) static var android: (StaticString, StaticString) { ("Android", "Dalvik/") }
    @inline(__always) static var ios: (StaticString, StaticString, StaticString, StaticString) {
        ("iPhone", "iPad", "CPU OS ", "CFNetwork/")
    }

    private static let androidMarkers = [android.0, android.1].map { ascii("\($0)") }
    private static let iosMarkers = [ios.0, ios.1, ios.2, ios.3].map { ascii("\($0)") }

    /// What a space and a slash are in a percent-encoded user agent.
    private static let encodings = ["%20", "%2F", "%2f"].map { ascii($0) }

    /// The platform whose marker occurs in the user agent, which may be percent-encoded as a whole. Android takes
    /// precedence.
    static func platform(_ text: Span<UInt8>, in range: Range<Int>) -> Platform {
        guard isEncoded(text, in: range) else { return platform(ofPlain: text, in: range) }
        var plain: [UInt8] = []
        PercentCoding.appendQuery(text, in: range, to: &plain)
        return platform(ofPlain: plain.span, in: 0..<plain.count)
    }

    private static func isEncoded(_ text: Span<UInt8>, in range: Range<Int>) -> Bool {
        func holds(_ part: [UInt8]) -> Bool {
            text.firstIndex(of: part, from: range.lowerBound, to: range.upperBound) != nil
        }
        return text.firstIndex(of: 0x20, from: range.lowerBound, to: range.upperBound) == nil
            && encodings.contains(where: holds)
    }

    private static func platform(ofPlain text: Span<UInt8>, in range: Range<Int>) -> Platform {
        func holds(_ marker: [UInt8]) -> Bool {
            text.firstIndex(of: marker, from: range.lowerBound, to: range.upperBound) != nil
        }
        return androidMarkers.contains(where: holds) ? .android : iosMarkers.contains(where: holds) ? .ios : .unknown
    }
}

extension UserAgent {
    /// The same as `platform` for the user agent that begins at `start` and ends at the next quote. Returns nil if
    /// there is no quote in the line, an escape may matter, or a request may follow. 64 bytes can be loaded from each
    /// offset up to `end`.
    ///
    /// The user agents of the SDKs are recognized by their beginnings, if they end with the line.
    @inline(__always)
    static func fastPlatform(
        _ line: UncheckedBytes, from start: Int, to end: Int, marks: LineMarks.View
    ) -> Platform? {
        assert(end + 64 <= line.count)
        guard line[end &- 1] == quote, line[end &- 2] != backslash else {
            return scan(line, from: start, to: end, isIOS: false)
        }
        if line.holds("Dalvik/", at: start) {
            if marks.firstQuote(from: start &+ 7, to: end) == end &- 1 { return .android }
        } else if line.holds("Mozilla/5.0 (Linux; U; Android", at: start)
            || line.holds("Mozilla/5.0 (Linux; Android", at: start)
        {
            if marks.firstQuote(from: start &+ 27, to: end) == end &- 1 { return .android }
        } else if line.holds("Mozilla/5.0 (iPhone", at: start) {
            let rest = afterIPhone(in: line, from: start)
            // In fewer than 8 bytes there is no room for `Android`, for an escape of it, or for a request, before the
            // last quote.
            return end &- rest < 8 ? .ios : scan(line, from: rest, to: end, isIOS: true)
        }
        return scan(line, from: start, to: end, isIOS: false)
    }

    /// The offset after `Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; `, or `start` if the user agent continues in
    /// another way. The first 19 bytes have been checked. At least 52 bytes follow `start`.
    @inline(__always)
    private static func afterIPhone(in text: UncheckedBytes, from start: Int) -> Int {
        guard text.holds("iPhone; CPU OS ", at: start &+ 13) else { return start }
        // Of the version at most eight bytes are looked at.
        let version = text.word(at: start &+ 28)
        let low = version & eight(0x7F)
        let digit = (low &+ eight(0x50)) & ~(low &+ eight(0x46))
        let underscore = ~((low ^ eight(0x5F)) &+ eight(0x7F))
        let length = (~((digit | underscore) & ~version) & eight(0x80)).trailingZeroBitCount >> 3
        let next = start &+ 28 &+ length
        return text.holds(" like Mac OS X; ", at: next) ? next &+ 16 : start
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
                // The `o` of `Android` or the `v` of `Dalvik/`.
                let offset = index &+ candidates.trailingZeroBitCount
                isAndroid = line.holds(android.0, at: offset &- 4) || line.holds(android.1, at: offset &- 3)
                candidates &= candidates &- 1
            }
            candidates = marks.ios & within
            while candidates != 0, !isIOS {
                // The second letter of each.
                let first = index &+ candidates.trailingZeroBitCount &- 1
                isIOS =
                    line.holds(ios.0, at: first) || line.holds(ios.1, at: first) || line.holds(ios.2, at: first)
                    || line.holds(ios.3, at: first)
                candidates &= candidates &- 1
            }
            index &+= length
            guard length == 64 else {
                guard index < end, line[index] == quote, !mayHoldRequest(line, from: index &+ 1, to: end),
                    !mayBeEncoded(line, from: start, to: index)
                else { return nil }
                return isAndroid ? .android : isIOS ? .ios : .unknown
            }
        }
        return nil
    }

    /// Whether a user agent has a percent sign and no space, by its first 64 bytes.
    @inline(__always)
    private static func mayBeEncoded(_ line: UncheckedBytes, from start: Int, to end: Int) -> Bool {
        let within = end == start ? 0 : UInt64.max >> UInt64(64 &- min(64, end &- start))
        guard line.mask(of: 0x20, at: start) & within == 0 else { return false }
        return line.mask(of: UInt8(ascii: "%"), at: start) & within != 0 || end &- start > 64
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

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}

/// A word of eight equal bytes.
@inline(__always)
private func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
