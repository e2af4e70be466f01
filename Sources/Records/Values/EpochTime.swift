/// Times written as decimal numbers, read exactly: no floating point, and a fraction finer than a millisecond is cut off.
enum EpochTime {
    /// A layout's `digits[.digits]`, in seconds; the years end with 9999. In milliseconds, nil if it does not parse.
    static func seconds(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard let first = range.first, text[first].isDigit, let decimal = Decimal(text, range, exponent: false),
            decimal.digitsBeforePoint <= 12
        else { return nil }
        let time = decimal.integer(text, scaledBy: 3)
        return time < 253_402_300_800_000 ? time : nil
    }

    /// A payload's number: seconds below 10^11, milliseconds from there. In milliseconds; what is too large for them is
    /// the largest or smallest number, which no window holds. nil if it does not parse.
    /// - Parameter exponent: whether the number may have one, as those of JSON may.
    static func secondsOrMilliseconds(_ text: Span<UInt8>, _ range: Range<Int>, exponent: Bool) -> Int64? {
        if let number = plainNumber(text, range) { return range.count >= 12 ? number : number * 1000 }
        guard let decimal = Decimal(text, range, exponent: exponent) else { return nil }
        let isMilliseconds = !decimal.negative && decimal.digitsBeforePoint >= 12
        return decimal.integer(text, scaledBy: isMilliseconds ? 0 : 3)
    }
}

extension EpochTime {
    /// The number, if it is nothing but ten to fifteen digits, the first of them no zero, as nearly all are.
    private static func plainNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard range.count >= 10, range.count <= 15, text[range.lowerBound] != 0x30 else { return nil }
        var number = 0 as Int64
        for index in range {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int64(digit)
        }
        return number
    }

    /// `-?digits[.digits][e±digits]`, the significant digits of which are in the text from `first` on.
    private struct Decimal {
        var negative = false
        /// The first digit that is not 0; `end` if there is none.
        var first: Int
        /// Behind the last digit.
        var end: Int
        /// How many digits, from `first` on, stand before the point once the exponent is applied; negative if zeros
        /// come between the point and them.
        var digitsBeforePoint: Int

        init?(_ text: Span<UInt8>, _ range: Range<Int>, exponent mayHaveExponent: Bool) {
            var index = range.lowerBound
            let limit = range.upperBound
            if index < limit, text[index] == UInt8(ascii: "-") {
                negative = true
                index += 1
            }
            let start = index
            while index < limit, text[index].isDigit { index += 1 }
            guard index > start else { return nil }
            var point = index
            if index < limit, text[index] == UInt8(ascii: ".") {
                index += 1
                let fraction = index
                while index < limit, text[index].isDigit { index += 1 }
                guard index > fraction else { return nil }
            } else {
                point = index
            }
            end = index
            first = start
            while first < end, text[first] == 0x30 || first == point { first += 1 }
            // Behind the point, the point itself is no digit.
            digitsBeforePoint = first < point ? point - first : point + 1 - first
            if first == end { digitsBeforePoint = 0 }
            guard index < limit else { return }
            guard mayHaveExponent, text[index] | 0x20 == UInt8(ascii: "e"),
                let exponent = Self.exponent(text, index + 1..<limit)
            else { return nil }
            if first < end { digitsBeforePoint += exponent }
        }

        /// The number times 10^`places`, cut off behind the point; the outermost Int64 where it is too large.
        func integer(_ text: Span<UInt8>, scaledBy places: Int) -> Int64 {
            guard first < end else { return 0 }
            let wanted = digitsBeforePoint + places
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

        /// What follows the `e`; beyond a million it makes no difference any more.
        private static func exponent(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
            var index = range.lowerBound
            var negative = false
            if index < range.upperBound, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                negative = text[index] == UInt8(ascii: "-")
                index += 1
            }
            guard index < range.upperBound else { return nil }
            var exponent = 0
            while index < range.upperBound {
                guard text[index].isDigit else { return nil }
                exponent = min(exponent * 10 + Int(text[index] - 0x30), 1_000_000_000)
                index += 1
            }
            return negative ? -exponent : exponent
        }
    }
}
