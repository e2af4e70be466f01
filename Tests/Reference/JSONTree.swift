/// A JSON value, with the offset of its first byte.
package struct JSONTree {
    package indirect enum Kind {
        case null
        case bool(Bool)
        /// The literal as it is written.
        case number(Bytes)
        /// The decoded bytes.
        case string(Bytes)
        case array([JSONTree])
        /// The members in the order of the text, with decoded keys. A key may be there twice.
        case object([(key: Bytes, value: JSONTree)])
    }

    package var kind: Kind
    package var offset: Int

    /// The value of a key. If the key is there twice, the last value.
    package subscript(key: String) -> JSONTree? {
        guard case .object(let members) = kind else { return nil }
        return members.last { $0.key == Bytes(key) }?.value
    }

    /// The value at `a.b.c`; nil if there is none. Within this value the first element of an array stands for the array.
    /// - Parameter isWhole: whether an array at the path's end is the value itself.
    package func value(at path: String, isWhole: Bool = false) -> JSONTree? {
        var tree: JSONTree? = self
        for (index, key) in pathNames(path).enumerated() {
            if index > 0 { tree = tree?.firstOfArrays }
            tree = tree?[key]
        }
        return isWhole ? tree : tree?.firstOfArrays
    }

    /// The value at `a.b.c`, where each is an object.
    package func valueInObjects(at path: String) -> JSONTree? {
        var tree: JSONTree? = self
        for key in pathNames(path) { tree = tree?[key] }
        return tree
    }

    private var firstOfArrays: JSONTree? {
        guard case .array(let elements) = kind else { return self }
        return elements.first?.firstOfArrays
    }

    /// Whether it is a value other than null and blank strings.
    package var isFilled: Bool { !isNull && string?.trimmed.isEmpty != true }

    package var string: Bytes? {
        if case .string(let bytes) = kind { bytes } else { nil }
    }

    package var isNull: Bool {
        if case .null = kind { true } else { false }
    }

    /// The literal of a number that has no fraction and no exponent.
    package var integerLiteral: Bytes? {
        guard case .number(let literal) = kind, !literal.contains(where: { ".eE".utf8.contains($0) }) else {
            return nil
        }
        return literal
    }
}

/// The names of a path such as `a."b.c".d`.
package func pathNames(_ path: String) -> [String] {
    var names = [""]
    var isQuoted = false
    for character in path {
        if character == "\"" {
            isQuoted.toggle()
        } else if character == ".", !isQuoted {
            names.append("")
        } else {
            names[names.count - 1].append(character)
        }
    }
    return names
}

package enum JSONFault: Error, Equatable {
    case invalid(offset: Int)
    /// The text ends inside the value.
    case unfinished
}

/// The elements of an array in an object, which may be faulty.
package struct NotedElements {
    /// Those that are whole, with their lengths in bytes.
    package var whole: [(element: JSONTree, length: Int)] = []
    /// Whether there is an array.
    package var hasArray = false
    /// Where the element begins that the fault is in.
    package var begun: Int?
    /// The offset of the fault, or that after the object.
    package var end = 0
    package var fault: JSONFault?
}

/// Reads JSON strictly by RFC 8259, with at most 64 levels.
package struct JSONReader {
    private let text: Bytes
    private let checksUTF8: Bool
    private var position: Int
    /// The keys from the outermost object to where the reader is; nil for an array's elements.
    private var keys: [Bytes?] = []
    /// Where the array is whose elements are noted.
    private var watched: [Bytes?]?
    private var noted = NotedElements()

    /// A text that is one value, with optional white space around it.
    package static func document(_ text: Bytes, checksUTF8: Bool = true) -> JSONTree? {
        var reader = JSONReader(text: text, checksUTF8: checksUTF8, position: 0)
        guard let tree = try? reader.value(depth: 0) else { return nil }
        reader.skipWhiteSpace()
        return reader.position == text.count ? tree : nil
    }

    /// The object that begins at `start`, and the offset after it.
    package static func object(
        in text: Bytes, at start: Int, checksUTF8: Bool = true
    ) throws(JSONFault) -> (tree: JSONTree, end: Int) {
        var reader = JSONReader(text: text, checksUTF8: checksUTF8, position: start)
        let tree = try reader.value(depth: 0)
        return (tree, reader.position)
    }

    /// What is read of the elements of the array at `path`, in the object that begins at `start`.
    package static func elements(in text: Bytes, at start: Int, path: String) -> NotedElements {
        var reader = JSONReader(text: text, checksUTF8: true, position: start)
        reader.watched = path.split(separator: ".").map { Bytes($0.utf8) }
        do throws(JSONFault) {
            _ = try reader.value(depth: 0)
            reader.noted.end = reader.position
        } catch {
            reader.noted.end = if case .invalid(let offset) = error { offset } else { text.count }
            reader.noted.fault = error
        }
        return reader.noted
    }

    private func peek() throws(JSONFault) -> UInt8 {
        guard position < text.count else { throw .unfinished }
        return text[position]
    }

    private mutating func next() throws(JSONFault) -> UInt8 {
        let byte = try peek()
        position += 1
        return byte
    }

    private var here: JSONFault { .invalid(offset: position) }

    private mutating func skipWhiteSpace() {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        while position < text.count, isSpace(text[position]) { position += 1 }
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONTree {
        skipWhiteSpace()
        let offset = position
        let kind: JSONTree.Kind
        switch try peek() {
        case UInt8(ascii: "{"): kind = try object(depth: depth + 1)
        case UInt8(ascii: "["): kind = try array(depth: depth + 1)
        case UInt8(ascii: "\""): kind = .string(try string())
        case UInt8(ascii: "t"):
            try word("true")
            kind = .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            kind = .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            kind = .null
        default: kind = .number(try number())
        }
        return JSONTree(kind: kind, offset: offset)
    }

    private mutating func word(_ word: String) throws(JSONFault) {
        for byte in word.utf8 {
            guard try peek() == byte else { throw here }
            position += 1
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONTree.Kind {
        guard depth <= 64 else { throw here }
        position += 1
        var members: [(key: Bytes, value: JSONTree)] = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw here }
            let key = try string()
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: ":") else { throw here }
            position += 1
            keys.append(key)
            members.append((key, try value(depth: depth)))
            keys.removeLast()
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(members)
            default: throw here
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONFault) -> JSONTree.Kind {
        guard depth <= 64 else { throw here }
        position += 1
        var elements: [JSONTree] = []
        let isWatched = keys == watched
        if isWatched { noted.hasArray = true }
        keys.append(nil)
        defer { keys.removeLast() }
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipWhiteSpace()
            if isWatched { noted.begun = position }
            let element = try value(depth: depth)
            // The digits of a number may go on.
            if case .number = element.kind { _ = try peek() }
            elements.append(element)
            if isWatched {
                noted.whole.append((element, position - element.offset))
                noted.begun = nil
            }
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw here
            }
        }
    }

    private mutating func number() throws(JSONFault) -> Bytes {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if position < text.count, text[position] == UInt8(ascii: "e") || text[position] == UInt8(ascii: "E") {
            position += 1
            if [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(try peek()) { position += 1 }
            try digits()
        }
        return Array(text[start..<position])
    }

    private mutating func digits() throws(JSONFault) {
        guard [try peek()].isDigits else { throw here }
        while position < text.count, [text[position]].isDigits { position += 1 }
    }

    private mutating func string() throws(JSONFault) -> Bytes {
        position += 1
        var scalars = EscapedText()
        while true {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "\""): return scalars.finished()
            case UInt8(ascii: "\\"): try escape(into: &scalars)
            case 0..<0x20:
                position -= 1
                throw here
            case 0x80... where checksUTF8:
                position -= 1
                for byte in try utf8Sequence() { scalars.append(byte: byte) }
            default: scalars.append(byte: byte)
            }
        }
    }

    private mutating func escape(into text: inout EscapedText) throws(JSONFault) {
        switch try next() {
        case UInt8(ascii: "\""): text.append(byte: 0x22)
        case UInt8(ascii: "\\"): text.append(byte: 0x5C)
        case UInt8(ascii: "/"): text.append(byte: 0x2F)
        case UInt8(ascii: "b"): text.append(byte: 0x08)
        case UInt8(ascii: "f"): text.append(byte: 0x0C)
        case UInt8(ascii: "n"): text.append(byte: 0x0A)
        case UInt8(ascii: "r"): text.append(byte: 0x0D)
        case UInt8(ascii: "t"): text.append(byte: 0x09)
        case UInt8(ascii: "u"):
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = hexValue(try peek()) else { throw here }
                position += 1
                unit = unit * 16 + UInt32(digit)
            }
            text.append(unit: unit)
        default:
            position -= 1
            throw here
        }
    }

    /// One well-formed sequence of 2 to 4 bytes (Unicode's table 3-7).
    private mutating func utf8Sequence() throws(JSONFault) -> Bytes {
        let first = try next()
        let ranges: [ClosedRange<UInt8>]
        switch first {
        case 0xC2...0xDF: ranges = [0x80...0xBF]
        case 0xE0: ranges = [0xA0...0xBF, 0x80...0xBF]
        case 0xE1...0xEC, 0xEE...0xEF: ranges = [0x80...0xBF, 0x80...0xBF]
        case 0xED: ranges = [0x80...0x9F, 0x80...0xBF]
        case 0xF0: ranges = [0x90...0xBF, 0x80...0xBF, 0x80...0xBF]
        case 0xF1...0xF3: ranges = [0x80...0xBF, 0x80...0xBF, 0x80...0xBF]
        case 0xF4: ranges = [0x80...0x8F, 0x80...0xBF, 0x80...0xBF]
        default: throw here
        }
        var sequence = [first]
        for range in ranges {
            let byte = try peek()
            guard range.contains(byte) else { throw here }
            sequence.append(byte)
            position += 1
        }
        return sequence
    }
}

/// The text of a string. Two surrogates become one character, and a lone one becomes U+FFFD.
private struct EscapedText {
    private var bytes: Bytes = []
    private var high: UInt32?

    mutating func append(byte: UInt8) {
        flush()
        bytes.append(byte)
    }

    mutating func append(unit: UInt32) {
        if let first = high, (0xDC00...0xDFFF).contains(unit) {
            high = nil
            append(scalar: 0x10000 + ((first - 0xD800) << 10) + (unit - 0xDC00))
            return
        }
        flush()
        switch unit {
        case 0xD800...0xDBFF: high = unit
        case 0xDC00...0xDFFF: append(scalar: 0xFFFD)
        default: append(scalar: unit)
        }
    }

    mutating func finished() -> Bytes {
        flush()
        return bytes
    }

    private mutating func flush() {
        if high != nil { append(scalar: 0xFFFD) }
        high = nil
    }

    private mutating func append(scalar: UInt32) {
        let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        bytes += Array(String(Character(scalar)).utf8)
    }
}
