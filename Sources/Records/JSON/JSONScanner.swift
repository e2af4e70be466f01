/// One strict pass over a JSON text that remembers where the values at a few paths lie, and builds nothing.
///
/// The verbs take the place where something begins and return the place behind it, or -1 once `fault` is set.
struct JSONScanner {
    static let maximalDepth = 64

    let paths: JSONPaths
    let checksUTF8: Bool
    /// The values at the paths' nodes, a row of them for each scanned value; rows that are done with stay behind them.
    private var values: [JSONValue] = []
    private var rows = 0
    /// Where the row of the value at hand begins.
    private var row = 0
    /// Whether the string that was scanned last holds escapes.
    var stringIsEscaped = false
    private(set) var fault = JSONFault.Kind.end
    private(set) var faultOffset = 0

    init(capturing paths: [[String]], checksUTF8: Bool = true) {
        self.paths = JSONPaths(paths)
        self.checksUTF8 = checksUTF8
    }

    /// The first row's value itself.
    var root: JSONValue { values[0] }

    /// What lies at a path, by the path's index.
    func value(_ path: Int, row: Int = 0) -> JSONValue {
        values[row * paths.nodes.count + paths.ends[path]]
    }

    mutating func removeRows() {
        rows = 0
    }

    /// Scans a text that is one value with white space around it; its values make the only row.
    mutating func scanDocument(_ text: Span<UInt8>) -> Bool {
        removeRows()
        let end = scanRow(text, at: skipWhiteSpace(text, at: 0), depth: 1)
        guard end >= 0 else { return false }
        let rest = skipWhiteSpace(text, at: end)
        return rest == text.count || fail(.trailing, at: rest) >= 0
    }

    /// Scans a value and adds a row of what lies at the paths in it.
    mutating func scanRow(_ text: Span<UInt8>, at start: Int, depth: Int) -> Int {
        row = rows * paths.nodes.count
        rows += 1
        if values.count < row + paths.nodes.count {
            values.append(contentsOf: repeatElement(JSONValue(), count: paths.nodes.count))
        }
        return scan(text, at: start, node: 0, depth: depth)
    }

    /// - Parameters:
    ///   - start: of the value's first byte.
    ///   - node: the node whose value this is; -1 for one that nobody asked for.
    ///   - depth: how deep an object or array here would be nested; 1 is the outermost.
    @inline(__always)
    mutating func scan(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: "\"") else {
            return scanOther(text, at: start, node: node, depth: depth)
        }
        let end = string(text, at: start)
        guard node >= 0, end >= 0 else { return end }
        forgetBeneath(node)
        values[row + node] = JSONValue(kind: stringIsEscaped ? .escapedString : .string, start: start + 1, end: end - 1)
        return end
    }

    /// Scans a value that is no string.
    @inline(never)
    private mutating func scanOther(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard start < text.count else { return fail(.end, at: text.count) }
        if node >= 0 { forgetBeneath(node) }
        let end: Int
        var kind: JSONValue.Kind
        switch text[start] {
        case UInt8(ascii: "{"):
            kind = .object
            end = object(text, at: start, node: node, depth: depth)
        case UInt8(ascii: "["):
            kind = .array
            end = array(text, at: start, depth: depth)
        case UInt8(ascii: "t"):
            kind = .boolean
            end = literal(text, at: start, Self.true)
        case UInt8(ascii: "f"):
            kind = .boolean
            end = literal(text, at: start, Self.false)
        case UInt8(ascii: "n"):
            kind = .null
            end = literal(text, at: start, Self.null)
        default:
            kind = .integer
            end = number(text, at: start, kind: &kind)
        }
        if node >= 0, end >= 0 { values[row + node] = JSONValue(kind: kind, start: start, end: end) }
        return end
    }

    private mutating func object(_ text: Span<UInt8>, at start: Int, node: Int, depth: Int) -> Int {
        guard depth <= Self.maximalDepth else { return fail(.depth, at: start) }
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

    private mutating func array(_ text: Span<UInt8>, at start: Int, depth: Int) -> Int {
        guard depth <= Self.maximalDepth else { return fail(.depth, at: start) }
        var index = skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "]") { return index + 1 }
        while true {
            index = scan(text, at: index, node: -1, depth: depth + 1)
            guard index >= 0 else { return -1 }
            index = skipWhiteSpace(text, at: index)
            guard index < text.count else { return fail(.end, at: index) }
            if text[index] == UInt8(ascii: "]") { return index + 1 }
            guard text[index] == UInt8(ascii: ",") else { return fail(.commaOrBracket, at: index) }
            index = skipWhiteSpace(text, at: index + 1)
        }
    }

    /// Scans a key, its colon and the white space behind it.
    @inline(__always)
    private mutating func key(_ text: Span<UInt8>, at start: Int, of node: Int) -> (child: Int, value: Int) {
        let (range, value) = key(text, at: start)
        guard node >= 0, value >= 0 else { return (-1, value) }
        return stringIsEscaped ? escapedKey(text, range, value, of: node) : (paths.child(of: node, text, range), value)
    }

    @inline(never)
    private func escapedKey(
        _ text: Span<UInt8>, _ range: Range<Int>, _ value: Int, of node: Int
    ) -> (child: Int, value: Int) {
        var plain: [UInt8] = []
        JSONText.append(text, range, to: &plain)
        return (paths.child(of: node, plain.span, 0..<plain.count), value)
    }

    /// Scans a key, its colon and the white space behind it; `range` is what stands between the key's quotes.
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

    /// Whether the key that was scanned last says `name`.
    func key(_ text: Span<UInt8>, _ range: Range<Int>, is name: [UInt8]) -> Bool {
        guard stringIsEscaped else { return range.count == name.count && text.holds(name, at: range.lowerBound) }
        var plain: [UInt8] = []
        JSONText.append(text, range, to: &plain)
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
    mutating func fail(_ kind: JSONFault.Kind, at offset: Int) -> Int {
        fault = kind
        faultOffset = offset
        return -1
    }

    /// Of a key that comes twice, the last value stands, with everything beneath it. What lies at the node itself is
    /// replaced once the value has been scanned, and without that nothing counts.
    @inline(__always)
    private mutating func forgetBeneath(_ node: Int) {
        let end = paths.nodes[node].subtreeEnd
        guard node + 1 < end else { return }
        for index in node + 1..<end { values[row + index].kind = .missing }
    }
}
