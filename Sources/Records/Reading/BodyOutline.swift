/// Finds out which bodies of a file end and which are broken, also of bodies that arrive in parts. It takes each byte
/// once, keeps nothing but the places of open bodies, and accepts exactly the objects that `JSONScanner` accepts.
///
/// If a body is broken, reading continues after its first line, within its text. So bodies may begin within a body that
/// is still open. The outline follows all of them at the same time:
///
///     {"a":[           a body
///     {"b":1},         a body if the one on line 1 is broken; it ends
///     {"c":            a body if the one on line 1 is broken
///     {"d":+           a body if those on lines 1 and 3 are broken; at the plus sign, all three are
///
/// This is one scan, because a string has no line feed: at the first byte of a line, each open body expects a token. An
/// inner body differs from an outer one only in its depth.
struct BodyOutline {
    enum Fate: Equatable {
        /// Its bytes so far are valid.
        case open
        /// The offset after its closing brace.
        case ended(Int)
        /// The offset of the first invalid byte, or of the end of the file.
        case broken(Int)
    }

    /// What comes next in the innermost open body.
    private enum Expected {
        case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd
        case string, escape, hexDigit, continuation
        case literal, integer, afterZero, integerDigit, fraction, fractionDigit, exponent, exponentSign, exponentDigit
    }

    /// Where a reader is for which all open bodies are broken.
    private enum Place {
        case betweenBodies, inSkippedLine, atLineStart
    }

    private struct Body {
        let offset: Int
        /// The number of brackets that were open before it.
        let outerDepth: Int
    }

    /// The length from which a broken body is kept in `longBrokenBodies`.
    private let limit: Int
    /// The offset in the file of the next byte.
    private var position = 0
    private var place = Place.betweenBodies
    /// The open bodies, the outermost first: at most 64, since each is within the one before.
    private var bodies: [Body] = []
    /// Broken bodies in the order of the file. Those that the reader has passed are dropped.
    private var broken: [(offset: Int, fault: Int)] = []
    /// The offsets of all broken bodies whose first `limit` bytes do not show it.
    private(set) var longBrokenBodies: [Int] = []

    private var expected = Expected.value
    private var depth = 0
    /// A bit for each open bracket, the innermost lowest: 1 for an object.
    private var objects: UInt64 = 0
    /// Whether the current string is a key.
    private var isKey = false
    /// The current literal, and the number of its bytes, hexadecimal digits or continuation bytes that are left.
    private var word: [UInt8] = []
    private var left = 0
    /// The values allowed for the next continuation byte, and the offset of the character's first byte.
    private var continuations: ClosedRange<UInt8> = 0x80...0xBF
    private var character = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a scan of the body at `offset` can be avoided, since it is known to be open or broken.
    func knows(_ offset: Int) -> Bool {
        bodies.first?.offset == offset || broken.contains { $0.offset == offset }
    }

    /// Takes bytes until the fate of the body at `offset` is known. The outline begins there if it does not know it.
    /// - Parameters:
    ///   - bytes: text of the file. It has all bytes that were not taken.
    ///   - base: the offset of its first byte in the file.
    ///   - atEnd: whether the file ends after `bytes`.
    mutating func follow(_ offset: Int, in bytes: Span<UInt8>, from base: Int, atEnd: Bool) -> Fate {
        if !knows(offset) {
            bodies.removeAll(keepingCapacity: true)
            place = .betweenBodies
            position = offset
        }
        broken.removeAll { $0.offset < offset }
        if broken.isEmpty {
            take(bytes, from: base) { $0.bodies.first?.offset == offset }
            if atEnd, bodies.first?.offset == offset { breakBodies(at: position) }
        }
        if bodies.first?.offset == offset { return .open }
        guard let first = broken.first, first.offset == offset else { return .ended(position) }
        return .broken(first.fault)
    }

    /// Takes all bytes that are left, to find further long bodies that are broken.
    mutating func followAll(_ bytes: Span<UInt8>, from base: Int, atEnd: Bool) {
        take(bytes, from: base) { _ in true }
        if atEnd { breakBodies(at: position) }
        broken.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private mutating func take(_ bytes: Span<UInt8>, from base: Int, while condition: (borrowing Self) -> Bool) {
        while position - base < bytes.count {
            let index = position - base
            if expected == .string, !bodies.isEmpty, index + 16 <= bytes.count {
                let plain = bytes.jsonStops(at: index).trailingZeroBitCount
                position += plain
                if plain > 0 { continue }
            }
            take(bytes[index])
            position += 1
            if !condition(self) { return }
        }
    }

    private mutating func take(_ byte: UInt8) {
        if !bodies.isEmpty, !takeInBody(byte) {
            breakBodies(at: expected == .continuation ? character : position)
        }
        if let last = bodies.last, last.outerDepth == depth {
            bodies.removeLast()
            place = .betweenBodies
        } else {
            takeBetweenBodies(byte)
        }
    }

    private mutating func takeBetweenBodies(_ byte: UInt8) {
        switch place {
        case .inSkippedLine where byte != 0x0A: return
        case .inSkippedLine: place = .atLineStart
        case .atLineStart where byte != UInt8(ascii: "{") && byte != UInt8(ascii: "["):
            if byte != 0x0A { place = .inSkippedLine }
        case .atLineStart, .betweenBodies:
            place = .betweenBodies
            if byte.isWhiteSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            {
                return
            }
            place = .inSkippedLine
            guard byte == UInt8(ascii: "{") else { return }
            if bodies.isEmpty {
                depth = 0
                push(isObject: true)
            }
            bodies.append(Body(offset: position, outerDepth: depth - 1))
        }
    }

    private mutating func breakBodies(at fault: Int) {
        for body in bodies { note(body, brokenAt: fault) }
        bodies.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ body: Body, brokenAt fault: Int) {
        broken.append((body.offset, fault))
        // A character may begin before the limit and break after it.
        if position - body.offset >= limit { longBrokenBodies.append(body.offset) }
    }
}

/// The grammar of JSON, byte by byte.
extension BodyOutline {
    /// Takes a byte of the open bodies; returns false if it is invalid.
    private mutating func takeInBody(_ byte: UInt8) -> Bool {
        switch expected {
        case .string: return takeInString(byte)
        case .escape: return takeEscape(byte)
        case .hexDigit:
            left -= 1
            if left == 0 { expected = .string }
            return byte.hexValue != nil
        case .continuation:
            guard continuations.contains(byte) else { return false }
            continuations = 0x80...0xBF
            left -= 1
            if left == 0 { expected = .string }
            return true
        case .literal:
            guard byte == word[word.count - left] else { return false }
            left -= 1
            if left == 0 { expected = .commaOrEnd }
            return true
        case .integer, .afterZero, .integerDigit, .fraction, .fractionDigit, .exponent, .exponentSign, .exponentDigit:
            return takeInNumber(byte)
        default: return takeToken(byte)
        }
    }

    private mutating func takeToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: return true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard expectsValue else { return false }
            open(isObject: byte == UInt8(ascii: "{"))
            return true
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(isObject: byte == UInt8(ascii: "}"))
        case UInt8(ascii: "\""):
            isKey = expected == .key || expected == .keyOrEnd
            guard isKey || expectsValue else { return false }
            expected = .string
        case UInt8(ascii: ":"):
            guard expected == .colon else { return false }
            expected = .value
        case UInt8(ascii: ","):
            guard expected == .commaOrEnd else { return false }
            expected = objects & 1 == 1 ? .key : .value
        default: return expectsValue && takeScalar(byte)
        }
        return true
    }

    private var expectsValue: Bool { expected == .value || expected == .valueOrEnd }

    private mutating func takeScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"): expected = .integer
        case UInt8(ascii: "0"): expected = .afterZero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): expected = .integerDigit
        case UInt8(ascii: "t"): expect(JSONScanner.true)
        case UInt8(ascii: "f"): expect(JSONScanner.false)
        case UInt8(ascii: "n"): expect(JSONScanner.null)
        default: return false
        }
        return true
    }

    /// Expects a literal after its first byte.
    private mutating func expect(_ literal: [UInt8]) {
        expected = .literal
        word = literal
        left = literal.count - 1
    }

    private mutating func takeInNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            switch expected {
            case .integer: expected = byte == UInt8(ascii: "0") ? .afterZero : .integerDigit
            case .afterZero: return false
            case .fraction: expected = .fractionDigit
            case .exponent, .exponentSign: expected = .exponentDigit
            default: break
            }
        case UInt8(ascii: ".") where expected == .afterZero || expected == .integerDigit: expected = .fraction
        case UInt8(ascii: "e") where mayEndNumber && expected != .exponentDigit: expected = .exponent
        case UInt8(ascii: "E") where mayEndNumber && expected != .exponentDigit: expected = .exponent
        case UInt8(ascii: "+") where expected == .exponent: expected = .exponentSign
        case UInt8(ascii: "-") where expected == .exponent: expected = .exponentSign
        default:
            guard mayEndNumber else { return false }
            expected = .commaOrEnd
            return takeToken(byte)
        }
        return true
    }

    private var mayEndNumber: Bool {
        switch expected {
        case .afterZero, .integerDigit, .fractionDigit, .exponentDigit: true
        default: false
        }
    }

    private mutating func takeInString(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): expected = isKey ? .colon : .commaOrEnd
        case UInt8(ascii: "\\"): expected = .escape
        case 0..<0x20: return false
        case 0xC2...0xDF: expectContinuations(1, first: 0x80...0xBF)
        case 0xE0: expectContinuations(2, first: 0xA0...0xBF)
        case 0xED: expectContinuations(2, first: 0x80...0x9F)
        case 0xE1...0xEF: expectContinuations(2, first: 0x80...0xBF)
        case 0xF0: expectContinuations(3, first: 0x90...0xBF)
        case 0xF1...0xF3: expectContinuations(3, first: 0x80...0xBF)
        case 0xF4: expectContinuations(3, first: 0x80...0x8F)
        case 0x80...: return false
        default: break
        }
        return true
    }

    private mutating func expectContinuations(_ count: Int, first: ClosedRange<UInt8>) {
        expected = .continuation
        character = position
        left = count
        continuations = first
    }

    private mutating func takeEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "u"):
            expected = .hexDigit
            left = 4
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            expected = .string
        default: return false
        }
        return true
    }

    /// If a bracket is nested too deep for the outermost body, only that body is broken.
    private mutating func open(isObject: Bool) {
        while let outermost = bodies.first, depth - outermost.outerDepth == JSONScanner.maxDepth {
            note(outermost, brokenAt: position)
            bodies.removeFirst()
        }
        push(isObject: isObject)
    }

    private mutating func push(isObject: Bool) {
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        expected = isObject ? .keyOrEnd : .valueOrEnd
    }

    private mutating func close(isObject: Bool) -> Bool {
        let isEmpty = expected == (isObject ? .keyOrEnd : .valueOrEnd)
        guard (objects & 1 == 1) == isObject, expected == .commaOrEnd || isEmpty else { return false }
        depth -= 1
        objects >>= 1
        expected = .commaOrEnd
        return true
    }
}
