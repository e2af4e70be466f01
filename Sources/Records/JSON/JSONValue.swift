/// The value at a path: its kind and its byte range.
struct JSONValue: Equatable {
    enum Kind: UInt8 {
        /// The path does not exist.
        case missing
        case null
        /// A string without escapes.
        case string
        /// A string with escapes.
        case escapedString
        /// A number without `.`, `e` and `E`.
        case integer
        case decimal
        case boolean
        case object
        case array
    }

    var kind = Kind.missing
    /// The byte range of the value; for a string, without its quotes.
    var start = 0
    var end = 0

    @inline(__always)
    var range: Range<Int> { start..<end }
    @inline(__always)
    var isString: Bool { kind == .string || kind == .escapedString }
    /// Whether the value is missing or null.
    @inline(__always)
    var isAbsent: Bool { kind == .missing || kind == .null }
}

/// The values of one event at the paths that were captured, by the indexes of the paths.
struct CapturedValues: ~Escapable {
    private let nodes: Span<JSONValue>
    /// By path, the index of its value.
    private let ends: Span<Int>

    @_lifetime(copy nodes, copy ends)
    init(_ nodes: Span<JSONValue>, ends: Span<Int>) {
        self.nodes = nodes
        self.ends = ends
    }

    @inline(__always)
    subscript(path: Int) -> JSONValue { nodes[ends[path]] }
}

/// The first syntax error in a JSON text. The raw value says what is expected there, for messages.
enum JSONFault: String {
    /// The text ends within a value.
    case end = "the rest of the JSON object"
    case value = "a JSON value"
    case key = "a key in quotes"
    case colon = "':'"
    case commaOrBrace = "',' or '}'"
    case commaOrBracket = "',' or ']'"
    /// The value is followed by something other than white space.
    case trailing = "nothing after the JSON object"
    case number = "a well-formed number"
    case escape = "a JSON escape"
    /// A byte below 0x20 in a string.
    case control = "no control character in a string"
    case utf8 = "valid UTF-8"
    /// An object or array is nested more than 64 deep.
    case depth = "no deeper nesting"
}

/// Unescapes JSON strings.
enum JSONText {
    /// Appends the content of a valid string, whose bytes between the quotes are in `range`. Half a surrogate pair
    /// becomes U+FFFD.
    static func append(_ text: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var from = range.lowerBound
        while let escape = text.firstIndex(of: UInt8(ascii: "\\"), from: from, to: end) {
            output.append(text, in: from..<escape)
            from = min(escape + 2, end)
            guard escape + 1 < end else { break }
            switch text[escape + 1] {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                guard let unit = codeUnit(in: text, at: from, before: end) else { break }
                from += 4
                var scalar = UInt32(unit)
                if unit >> 10 == 0x36, from + 1 < end, text[from] == UInt8(ascii: "\\"),
                    text[from + 1] == UInt8(ascii: "u"), let low = codeUnit(in: text, at: from + 2, before: end),
                    low >> 10 == 0x37
                {
                    scalar = 0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF)
                    from += 6
                }
                output.append(
                    contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            default: output.append(text[escape + 1])
            }
        }
        output.append(text, in: from..<end)
    }

    /// The UTF-16 code unit of the four digits at `start`.
    private static func codeUnit(in text: Span<UInt8>, at start: Int, before end: Int) -> UInt16? {
        start + 4 <= end ? text.hexNumber(start..<start + 4).map { UInt16($0) } : nil
    }
}

/// The paths that a scan captures, as a tree of keys. The nodes are in preorder: node 0 is the scanned value itself,
/// and the descendants of a node follow it directly.
struct JSONPaths {
    struct Node {
        /// The byte range of the key in `keys`.
        var keyStart: Int
        var keyLength: Int
        /// The first eight bytes of the key, padded with zeros, and the mask of the bytes that belong to the key.
        var word: UInt64
        var mask: UInt64
        /// The last eight bytes of a key of eight or more bytes.
        var lastWord: UInt64
        /// The index after the last descendant.
        var subtreeEnd: Int
    }

    private(set) var nodes: [Node] = []
    private var keys: [UInt8] = []
    /// The node of each path, in the order of the paths.
    private(set) var ends: [Int]

    /// - Parameter paths: each path is a list of keys; the empty path is the scanned value itself.
    init(_ paths: [[String]]) {
        ends = Array(repeating: 0, count: paths.count)
        add(key: "", paths.indices.map { ($0, paths[$0][...]) })
    }

    private mutating func add(key: String, _ paths: [(index: Int, rest: ArraySlice<String>)]) {
        let node = nodes.count
        let start = keys.count
        keys += Array(key.utf8)
        let length = keys.count - start
        let word = keys[start...].prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let mask = length >= 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
        let lastWord = length < 8 ? 0 : keys.suffix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        nodes.append(
            Node(keyStart: start, keyLength: length, word: word, mask: mask, lastWord: lastWord, subtreeEnd: 0))
        var children: [(key: String, paths: [(Int, ArraySlice<String>)])] = []
        for path in paths {
            guard let next = path.rest.first else {
                ends[path.index] = node
                continue
            }
            let deeper = (path.index, path.rest.dropFirst())
            // By bytes, because String's own equality would treat two encodings of é as one key.
            if let known = children.firstIndex(where: { $0.key.utf8.elementsEqual(next.utf8) }) {
                children[known].paths.append(deeper)
            } else {
                children.append((next, [deeper]))
            }
        }
        for child in children { add(key: child.key, child.paths) }
        nodes[node].subtreeEnd = nodes.count
    }

    /// The child of `node` with the key in `range`; -1 if there is none.
    @inline(__always)
    func child(of node: Int, named text: Span<UInt8>, in range: Range<Int>) -> Int {
        let nodes = nodes.span
        var child = node + 1
        let end = nodes[node].subtreeEnd
        guard child < end else { return -1 }
        let hasWord = range.lowerBound + 8 <= text.count
        let word = hasWord ? text.word(at: range.lowerBound) : 0
        while child < end {
            if nodes[child].keyLength == range.count, !hasWord || word & nodes[child].mask == nodes[child].word {
                let isFound =
                    switch range.count {
                    case ...8 where hasWord: true
                    case 8...16: text.word(at: range.upperBound - 8) == nodes[child].lastWord && hasWord
                    default:
                        text.holds(
                            keys.span.extracting(nodes[child].keyStart..<nodes[child].keyStart + range.count),
                            at: range.lowerBound)
                    }
                if isFound { return child }
            }
            child = nodes[child].subtreeEnd
        }
        return -1
    }
}
