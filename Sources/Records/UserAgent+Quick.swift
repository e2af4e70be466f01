import Events

extension UserAgent {
    /// As `platform`, in one pass of sixteen bytes a step; nil if the range holds a backslash, and so perhaps an escape.
    ///
    /// The two bytes that begin a marker are rare elsewhere, so they are looked for first. `Android` and `Dalvik/` win
    /// at once; the others must wait for the end.
    /// - Parameter range: lies in a text of 17 bytes or more.
    @inline(__always)
    static func quickPlatform(_ text: Span<UInt8>, _ range: Range<Int>) -> Platform? {
        var platform = Platform.unknown
        var index = range.lowerBound
        while index < range.upperBound {
            // The last step may see bytes again, or ones beyond the range; what it finds is compared with the range.
            let start = min(index, text.count - 17)
            let first = text.vector(at: start)
            let second = text.vector(at: start + 1)
            let isA = (first .== UInt8(ascii: "A")) .& (second .== UInt8(ascii: "n"))
            let isD = (first .== UInt8(ascii: "D")) .& (second .== UInt8(ascii: "a"))
            let isEscape = first .== UInt8(ascii: "\\")
            var android = Lanes(isA .| isD .| isEscape)
            while let lane = android.next() {
                let place = start + lane
                guard range.contains(place) else { continue }
                if text[place] == UInt8(ascii: "\\") { return nil }
                if isAndroid(text, place, range.upperBound) { return .android }
            }
            if platform == .unknown {
                let isI = (first .== UInt8(ascii: "i")) .& (second .== UInt8(ascii: "P"))
                let isC =
                    (first .== UInt8(ascii: "C")) .& ((second .== UInt8(ascii: "P")) .| (second .== UInt8(ascii: "F")))
                var ios = Lanes(isI .| isC)
                while let lane = ios.next() {
                    let place = start + lane
                    if range.contains(place), isIOS(text, place, range.upperBound) { platform = .ios }
                }
            }
            index = start + 16
        }
        return platform
    }

    private static func isAndroid(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        marks(android, text, place, end)
    }

    private static func isIOS(_ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        marks(ios, text, place, end)
    }

    private static func marks(_ markers: [[UInt8]], _ text: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
        for marker in markers where place + marker.count <= end && text.holds(marker, at: place) { return true }
        return false
    }
}

/// The lanes of a comparison that hold, from the lowest on.
private struct Lanes {
    private var low: UInt64
    private var high: UInt64

    @inline(__always)
    init(_ mask: SIMDMask<SIMD16<Int8>>) {
        // A mask is sixteen bytes, each 0 or 0xFF: two words.
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        low = UInt64(littleEndian: words[0])
        high = UInt64(littleEndian: words[1])
    }

    @inline(__always)
    mutating func next() -> Int? {
        guard low | high != 0 else { return nil }
        if low != 0 {
            let lane = low.trailingZeroBitCount >> 3
            low &= ~(0xFF << UInt64(8 * lane))
            return lane
        }
        let lane = high.trailingZeroBitCount >> 3
        high &= ~(0xFF << UInt64(8 * lane))
        return lane + 8
    }
}
