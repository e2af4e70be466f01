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

    /// Whether bytes begin in a line that holds objects, where other lines may be beside these, or in one whose rest is
    /// not read.
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
