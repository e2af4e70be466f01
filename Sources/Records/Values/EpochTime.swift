/// Times as decimal numbers since 1970-01-01T00:00:00Z. They are parsed exactly, without floating point, and truncated
/// to milliseconds.
enum EpochTime {
    static let firstSecondOfYear10000 = 253_402_300_800

    /// Parses a number in a log line, `digits[.digits]`, up to the year 9999. Returns milliseconds.
    /// - Parameter anyUnit: whether the size of the number tells its unit, and it may have an exponent, as the value of
    ///   a JSON key may; otherwise it is seconds.
    static func time(_ text: Span<UInt8>, in range: Range<Int>, anyUnit: Bool = false) throws(TimeFault) -> Int64 {
        guard let first = range.first, text[first].isDigit else { throw .shape(at: range.lowerBound) }
        let decimal = try Decimal(text, in: range, exponent: anyUnit)
        let time = decimal.integer(text, scaledBy: anyUnit ? decimal.scale : 3)
        guard time < firstSecondOfYear10000 * 1000 else { throw .beyondYear9999 }
        return time
    }

    /// Parses a number in a payload, whose size tells its unit. Returns milliseconds; nil if it does not parse. A
    /// number that is too large becomes `Int64.max` or `Int64.min`, which is outside every window.
    /// - Parameter exponent: whether the number may have an exponent, as in JSON.
    static func payloadTime(_ text: Span<UInt8>, in range: Range<Int>, exponent: Bool) -> Int64? {
        // Nearly all numbers have ten to fourteen digits without a leading zero.
        let digits = text.extracting(range)
        if (10...14).contains(digits.count), digits[0] != 0x30,
            let number = digits.number(at: 0, digits: digits.count)
        {
            return Int64(digits.count >= 12 ? number : number * 1000)
        }
        // Why it is no number is not told: the record is rejected as one without a valid time.
        guard let decimal = try? Decimal(text, in: range, exponent: exponent) else { return nil }
        return decimal.integer(text, scaledBy: decimal.scale)
    }

    /// A number `-?digits[.digits][e±digits]`. Its significant digits are in the text in `first..<end`.
    private struct Decimal {
        var negative = false
        /// The offset of the first digit that is not 0; `end` if there is none.
        var first: Int
        /// The offset after the last digit.
        var end: Int
        /// The number of digits from `first` to the point, after applying the exponent. It is negative if there are
        /// zeros between the point and `first`.
        var digitsBeforePoint: Int

        init(_ text: Span<UInt8>, in range: Range<Int>, exponent mayHaveExponent: Bool) throws(TimeFault) {
            var index = range.lowerBound
            let limit = range.upperBound
            if index < limit, text[index] == UInt8(ascii: "-") {
                negative = true
                index += 1
            }
            let start = index
            while index < limit, text[index].isDigit { index += 1 }
            guard index > start else { throw .shape(at: index) }
            var point = index
            if index < limit, text[index] == UInt8(ascii: ".") {
                index += 1
                let fraction = index
                while index < limit, text[index].isDigit { index += 1 }
                guard index > fraction else { throw .shape(at: index) }
            } else {
                point = index
            }
            end = index
            first = start
            while first < end, text[first] == 0x30 || first == point { first += 1 }
            // If `first` is after the point, the point itself is not counted.
            digitsBeforePoint = first < point ? point - first : point + 1 - first
            if first == end { digitsBeforePoint = 0 }
            guard index < limit else { return }
            guard mayHaveExponent, text[index] | 0x20 == UInt8(ascii: "e"),
                let exponent = Self.exponent(text, in: index + 1..<limit)
            else { throw .shape(at: index) }
            if first < end { digitsBeforePoint += exponent }
        }

        /// The power of ten that makes milliseconds of it: it is seconds below 10^11, milliseconds below 10^14,
        /// microseconds below 10^17, and nanoseconds from there.
        var scale: Int {
            if negative { return 3 }
            return switch digitsBeforePoint {
            case ...11: 3
            case ...14: 0
            case ...17: -3
            default: -6
            }
        }

        /// The number times 10^`power`, truncated to an integer; `Int64.max` or `Int64.min` if it is too large.
        func integer(_ text: Span<UInt8>, scaledBy power: Int) -> Int64 {
            guard first < end else { return 0 }
            let wanted = digitsBeforePoint + power
            guard wanted > 0 else { return 0 }
            guard wanted <= 18 else { return negative ? .min : .max }
            var number = 0 as Int64
            var taken = 0
            var index = first
            while taken < wanted {
                if index < end, text[index] == UInt8(ascii: ".") { index += 1 }
                number = number * 10 + (index < end ? Int64(text[index] - 0x30) : 0)
                index += 1
                taken += 1
            }
            return negative ? -number : number
        }

        /// The exponent after `e`, clamped to 10^9, which is beyond any valid time.
        private static func exponent(_ text: Span<UInt8>, in range: Range<Int>) -> Int? {
            guard let first = range.first else { return nil }
            let isSigned = text[first] == UInt8(ascii: "-") || text[first] == UInt8(ascii: "+")
            let digits = isSigned ? range.dropFirst() : range
            guard !digits.isEmpty, digits.allSatisfy({ text[$0].isDigit }) else { return nil }
            let exponent = digits.reduce(0) { min($0 * 10 + Int(text[$1] - 0x30), 1_000_000_000) }
            return text[first] == UInt8(ascii: "-") ? -exponent : exponent
        }
    }
}
