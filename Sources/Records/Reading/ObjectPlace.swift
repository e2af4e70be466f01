/// A place among the JSON objects of a file's lines.
package struct ObjectPlace {
    /// The longest object in bytes.
    static let limit = 8 << 20

    /// The 1-based line.
    package private(set) var line: Int
    /// The offset of the line's beginning among the bytes that have not been taken. It is negative if some were taken.
    var lineStart = 0
    /// Whether the rest of the line is not read.
    package var skipsLine = false
    /// The number of bytes from which on another scan of an unfinished object is made.
    var wanted = 0

    /// Whether the bytes are a line without its line end, so that a CR at its end is none.
    let isInLine: Bool

    /// The beginning of a file.
    package init() {
        line = 1
        isInLine = false
    }

    /// The beginning of a line, without its line end.
    init(inLine line: Int) {
        self.line = line
        isInLine = true
    }

    /// Whether bytes begin in a line that holds objects, where other lines may be beside these, or in one whose rest is not
    /// read.
    /// - Parameter bytes: those that have not been taken. They begin at a line's start or where `parseObjects` ended.
    package func isInObjects(_ bytes: Span<UInt8>) -> Bool {
        lineStart < 0 || !bytes.isEmpty && bytes[0] == UInt8(ascii: "{")
    }

    /// Goes on after lines that were read otherwise.
    package mutating func skipLines(_ count: Int) {
        assert(lineStart == 0)
        line += count
    }

    /// The offset of the next byte that is not skipped between objects.
    mutating func skipToObject(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if skipsLine {
                guard let lineFeed = bytes.firstIndex(of: 0x0A, from: index) else { return bytes.count }
                index = lineFeed
                skipsLine = false
            }
            switch bytes[index] {
            case 0x0A:
                line += 1
                lineStart = index + 1
            case 0x00, UInt8(ascii: ","): break
            case let byte where byte.isWhiteSpace: break
            default: return index
            }
            index += 1
        }
        return index
    }

    /// The offset after the closing brace of the faulty object at the front of a text; nil if there is none.
    static func endOfFaultyObject(_ text: Span<UInt8>) -> Int? {
        guard !text.isEmpty, text[0] == UInt8(ascii: "{") else { return nil }
        var depth = 0
        var isInString = false
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\") where isInString: index += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }
}

/// Takes log lines out of JSON objects, such as those of Docker: the key `unwrap` of a pipeline file.
///
///     {"log":"192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /r/?id=…\n","stream":"stdout","time":"…"}
package struct LineUnwrapper {
    private var scanner: JSONScanner
    private var fields = LogFields()
    /// The range in `bytes` of the lines that have not been taken.
    private var rest = 0..<0

    /// - Parameter path: where the lines are in the object.
    package init(_ path: [String]) {
        scanner = JSONScanner(capturing: [path], checksUTF8: false, takesFirst: true)
    }

    /// The bytes in which the lines of the last object were found.
    package var bytes: Span<UInt8> { fields.bytes.span }

    /// Scans the object at the front of a text. `unwrap` must follow.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front { scanner.scanFront(text) }

    /// Finds the text in the object that was scanned. Returns false if there is none.
    mutating func unwrapScanned(_ object: Span<UInt8>) -> Bool {
        guard scanner.value(0).isString else { return false }
        fields.begin(object)
        rest = fields.unescapeJSON(object, in: scanner.value(0).range)
        return true
    }

    /// Finds the text in the object at the front of a line. Returns the offset after the object; nil if there is no such
    /// text.
    package mutating func unwrap(_ line: Span<UInt8>) -> Int? {
        guard case .object(let end) = scanFront(line), unwrapScanned(line.extracting(0..<end)) else { return nil }
        return end
    }

    /// The range in `bytes` of the next line of the text, without its line end; nil after the last one.
    package mutating func nextLine() -> Range<Int>? {
        while !rest.isEmpty {
            let feed = bytes.firstIndex(of: 0x0A, from: rest.lowerBound, to: rest.upperBound) ?? rest.upperBound
            let end = feed > rest.lowerBound && bytes[feed - 1] == 0x0D ? feed - 1 : feed
            let line = rest.lowerBound..<end
            rest = min(feed + 1, rest.upperBound)..<rest.upperBound
            if !line.isEmpty { return line }
        }
        return nil
    }
}
