/// Finds the end of a JSON object that arrives in parts. It reads each byte once. It checks brackets, strings, colons
/// and commas, but not the details of numbers, literals and escapes. So it accepts everything that `JSONScanner`
/// accepts.
struct BodySkipper {
    enum Progress: Equatable {
        case inside
        /// The object ended; the index after its closing brace.
        case ended(Int)
        /// The object is invalid; the index of the first invalid byte.
        case fault(Int)
    }

    private enum Expected {
        case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd
        case string(isKey: Bool)
        case escape(isKey: Bool)
        case scalar
    }

    /// The number of bytes read, from the opening brace on.
    private(set) var position = 0
    private var expected = Expected.value
    private var depth = 0
    /// A bit for each open bracket, the innermost lowest: 1 for an object.
    private var objects: UInt64 = 0

    /// Reads on to the end of `bytes` or of the object.
    /// - Parameter start: the index in `bytes` of the opening brace; negative if it was in an earlier call.
    mutating func advance(_ bytes: Span<UInt8>, bodyAt start: Int) -> Progress {
        while start + position < bytes.count {
            let index = start + position
            if case .string = expected, index + 16 <= bytes.count {
                let plain = bytes.jsonStops(at: index).trailingZeroBitCount
                position += plain
                if plain > 0 { continue }
            }
            guard take(bytes[index]) else { return .fault(index) }
            position += 1
            if depth == 0 { return .ended(index + 1) }
        }
        return .inside
    }

    /// Reads a byte; returns false if it is invalid.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch expected {
        case .string(let isKey):
            if byte == UInt8(ascii: "\"") {
                expected = isKey ? .colon : .commaOrEnd
            } else if byte == UInt8(ascii: "\\") {
                expected = .escape(isKey: isKey)
            }
            return byte >= 0x20
        case .escape(let isKey):
            expected = .string(isKey: isKey)
            return byte >= 0x20
        case .scalar:
            if byte.isDigit || byte.isLetter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
            {
                return true
            }
            expected = .commaOrEnd
            return take(byte)
        default: break
        }
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: return true
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(isObject: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(isObject: byte == UInt8(ascii: "}"))
        case UInt8(ascii: "\""):
            switch expected {
            case .value, .valueOrEnd: expected = .string(isKey: false)
            case .key, .keyOrEnd: expected = .string(isKey: true)
            default: return false
            }
        case UInt8(ascii: ":"):
            guard case .colon = expected else { return false }
            expected = .value
        case UInt8(ascii: ","):
            guard case .commaOrEnd = expected else { return false }
            expected = objects & 1 == 1 ? .key : .value
        default:
            switch expected {
            case .value, .valueOrEnd: expected = .scalar
            default: return false
            }
            return byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-")
        }
        return true
    }

    private mutating func open(isObject: Bool) -> Bool {
        switch expected {
        case .value, .valueOrEnd: break
        default: return false
        }
        guard depth < JSONScanner.maxDepth else { return false }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        expected = isObject ? .keyOrEnd : .valueOrEnd
        return true
    }

    private mutating func close(isObject: Bool) -> Bool {
        guard (objects & 1 == 1) == isObject else { return false }
        switch expected {
        case .commaOrEnd: break
        case .keyOrEnd where isObject: break
        case .valueOrEnd where !isObject: break
        default: return false
        }
        depth -= 1
        objects >>= 1
        expected = .commaOrEnd
        return true
    }
}
