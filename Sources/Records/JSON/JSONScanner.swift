/// Scans a JSON text in one strict pass. It records the byte ranges of the values at a few paths, and builds no tree.
///
/// A scanning method takes the offset at which a token or value begins and returns the offset after it, or -1 after
/// setting `fault`.
struct JSONScanner {
    /// The deepest nesting of objects and arrays.
    static let maxDepth = 64

    let paths: JSONPaths
    /// Whether invalid UTF-8 in strings is a fault.
    let checksUTF8: Bool
    /// Whether a path that ends at an array leads to its first element. Paths through arrays always do.
    let takesFirst: Bool
    /// The values at the nodes of the paths: one row of nodes for each scanned value. The memory of removed rows is
    /// kept.
    private var values: [JSONValue] = []
    private var rows = 0
    /// The index in `values` at which the current row begins.
    private var row = 0
    /// Whether the last scanned string has escapes.
    var stringIsEscaped = false
    /// Where scanning goes on in a string whose end is missing: at the last character that may be whole with more
    /// bytes.
    var stringRest = 0
    private(set) var fault = JSONFault.end
    /// The offset of the first invalid byte; the length of the text for `end`.
    private(set) var faultOffset = 0

    init(capturing paths: [[String]], checksUTF8: Bool = true, takesFirst: Bool = false) {
        self.paths = JSONPaths(paths)
        self.checksUTF8 = checksUTF8
        self.takesFirst = takesFirst
    }

    /// The value at a path, by the index of the path.
    func value(_ path: Int, row: Int = 0) -> JSONValue {
        // What rows that were removed held is still there.
        assert(row < rows)
        return values[row * paths.nodes.count + paths.ends[path]]
    }

    /// The values of a row.
    @inline(__always)
    @_lifetime(borrow self)
    func values(ofRow row: Int) -> CapturedValues {
        assert(row < rows)
        let count = paths.nodes.count
        return CapturedValues(values.span.extracting(row * count..<(row + 1) * count), ends: paths.ends.span)
    }

    mutating func removeRows() {
        rows = 0
    }

    /// Scans a text of one value, which may be surrounded by white space. The result is a single row. Returns false on
    /// a fault.
    mutating func scanDocument(_ text: Span<UInt8>) -> Bool {
        removeRows()
        let end = scanRow(text, at: skipWhiteSpace(text, at: 0), depth: 1)
        guard end >= 0 else { return false }
        let rest = skipWhiteSpace(text, at: end)
        return rest == text.count || fail(.trailing, at: rest) >= 0
    }

    /// What is at the front of a text.
    enum Front {
        /// An object, and the offset after it.
        case object(end: Int)
        /// The text ends within an object that has no fault so far.
        case unfinished
        case faulty
    }

    /// Scans the object at the front of a text that may go on after it. Its values are a single row.
    mutating func scanFront(_ text: Span<UInt8>) -> Front {
        guard !text.isEmpty, text[0] == UInt8(ascii: "{") else { return .faulty }
        removeRows()
        let end = scanRow(text, at: 0, depth: 1)
        return end >= 0 ? .object(end: end) : fault == .end ? .unfinished : .faulty
    }

    /// Scans a value and adds a row with the values at the paths in it.
    mutating func scanRow(_ text: Span<UInt8>, at start: Int, depth: Int) -> Int {
        row = rows * paths.nodes.count
        rows += 1
        if values.count < row + paths.nodes.count {
            values.append(contentsOf: repeatElement(JSONValue(), count: paths.nodes.count))
        }
        return scan(text, at: start, node: 0, depth: depth)
    }

    /// Scans a value.
    /// - Parameters:
    ///   - start: the offset of the value's first byte.
    ///   - node: the node of the value; -1 if no path leads to it.
    ///   - depth: the depth of an object or array here; the outermost has depth 1.
    @inline(__always)
    mutating func scan(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: "\"") else {
            return scanOther(text, at: start, node: node, depth: depth)
        }
        let end = string(text, at: start)
        guard node >= 0, end >= 0 else { return end }
        clearDescendants(of: node)
        values[row + node] = JSONValue(kind: stringIsEscaped ? .escapedString : .string, start: start + 1, end: end - 1)
        return end
    }

    /// Scans a value that is not a string.
    @inline(never)
    private mutating func scanOther(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard start < text.count else { return fail(.end, at: text.count) }
        if node >= 0 { clearDescendants(of: node) }
        let end: Int
        var kind: JSONValue.Kind
        switch text[start] {
        case UInt8(ascii: "{"):
            kind = .object
            end = object(text, at: start, node: node, depth: depth)
        case UInt8(ascii: "["):
            kind = .array
            end = array(text, at: start, node: node, depth: depth)
            // The value of its first element stands there.
            if takesFirst, node > 0 { return end }
        case UInt8(ascii: "t"):
            kind = .boolean
            end = literal(in: text, at: start, spelled: Self.true)
        case UInt8(ascii: "f"):
            kind = .boolean
            end = literal(in: text, at: start, spelled: Self.false)
        case UInt8(ascii: "n"):
            kind = .null
            end = literal(in: text, at: start, spelled: Self.null)
        default:
            kind = .integer
            end = number(text, at: start, kind: &kind)
        }
        if node >= 0, end >= 0 { values[row + node] = JSONValue(kind: kind, start: start, end: end) }
        return end
    }

    private mutating func object(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard depth <= Self.maxDepth else { return fail(.depth, at: start) }
        var index = skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "}") { return index + 1 }
        while true {
            let (child, colon) = key(text, at: index, of: node)
            guard colon >= 0 else { return -1 }
            index = scan(text, at: colon, node: child, depth: depth + 1)
            guard index >= 0 else { return -1 }
            index = skipWhiteSpace(text, at: index)
            guard index < text.count else { return fail(.end, at: index) }
            if text[index] == UInt8(ascii: "}") { return index + 1 }
            guard text[index] == UInt8(ascii: ",") else { return fail(.commaOrBrace, at: index) }
            index = skipWhiteSpace(text, at: index + 1)
        }
    }

    /// The first element stands for an array within the scanned value, which is node 0.
    private mutating func array(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard depth <= Self.maxDepth else { return fail(.depth, at: start) }
        var node = node > 0 ? node : -1
        if node > 0 { values[row + node].kind = .missing }
        var index = skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "]") { return index + 1 }
        while true {
            index = scan(text, at: index, node: node, depth: depth + 1)
            guard index >= 0 else { return -1 }
            node = -1
            index = skipWhiteSpace(text, at: index)
            guard index < text.count else { return fail(.end, at: index) }
            if text[index] == UInt8(ascii: "]") { return index + 1 }
            guard text[index] == UInt8(ascii: ",") else { return fail(.commaOrBracket, at: index) }
            index = skipWhiteSpace(text, at: index + 1)
        }
    }

    /// Scans a key, its colon and the white space after it. Returns the child of `node` with this key, or -1, and the
    /// offset of the value.
    @inline(__always)
    private mutating func key(_ text: Span<UInt8>, at start: Int, of node: Int) -> (child: Int, value: Int) {
        let (range, value) = key(text, at: start)
        guard node >= 0, value >= 0 else { return (-1, value) }
        return stringIsEscaped
            ? escapedKey(text, in: range, value: value, of: node)
            : (paths.child(of: node, named: text, in: range), value)
    }

    @inline(never)
    private func escapedKey(
        _ text: Span<UInt8>, in range: Range<Int>, value: Int, of node: Int
    ) -> (child: Int, value: Int) {
        var plain: [UInt8] = []
        JSONText.append(text, in: range, to: &plain)
        return (paths.child(of: node, named: plain.span, in: 0..<plain.count), value)
    }

    /// Scans a key, its colon and the white space after it. Returns the range between the key's quotes and the offset
    /// of the value.
    @inline(__always)
    mutating func key(_ text: Span<UInt8>, at start: Int) -> (range: Range<Int>, value: Int) {
        guard start < text.count else { return (0..<0, fail(.end, at: start)) }
        guard text[start] == UInt8(ascii: "\"") else { return (0..<0, fail(.key, at: start)) }
        let end = string(text, at: start)
        guard end >= 0 else { return (0..<0, -1) }
        let colon = skipWhiteSpace(text, at: end)
        guard colon < text.count else { return (0..<0, fail(.end, at: colon)) }
        guard text[colon] == UInt8(ascii: ":") else { return (0..<0, fail(.colon, at: colon)) }
        return (start + 1..<end - 1, skipWhiteSpace(text, at: colon + 1))
    }

    /// Whether the last scanned key, which is in `range`, is `name`.
    func key(_ text: Span<UInt8>, in range: Range<Int>, is name: [UInt8]) -> Bool {
        guard stringIsEscaped else { return range.count == name.count && text.holds(name, at: range.lowerBound) }
        var plain: [UInt8] = []
        JSONText.append(text, in: range, to: &plain)
        return plain == name
    }

    @inline(__always)
    func skipWhiteSpace(_ text: Span<UInt8>, at start: Int) -> Int {
        guard start < text.count, text[start] <= 0x20 else { return start }
        return skipMoreWhiteSpace(text, at: start)
    }

    @inline(never)
    private func skipMoreWhiteSpace(_ text: Span<UInt8>, at start: Int) -> Int {
        var index = start
        while index < text.count {
            let byte = text[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            index += 1
        }
        return index
    }

    @inline(never)
    mutating func fail(_ kind: JSONFault, at offset: Int) -> Int {
        fault = kind
        faultOffset = offset
        return -1
    }

    /// Clears the values below a node before its value is scanned. If a key occurs twice, the last value counts, with
    /// its descendants. The value of the node itself is replaced after the scan; without that the whole scan fails.
    @inline(__always)
    private mutating func clearDescendants(of node: Int) {
        let end = paths.nodes[node].subtreeEnd
        guard node + 1 < end else { return }
        for index in node + 1..<end { values[row + index].kind = .missing }
    }
}
