/// A JSON payload, and the events in it: the payload itself, or the elements of an array.
///
///     {"log_content":{"type":1,…},"security":"…"}                     mzip: the object is one event
///     {"attributes":[…],"events":[{"name":…},…],"purchases":[…]}      users_track: the elements of `events`
///     {"batch":{"items":[{"kind":…},…]}}                              events with `elements: batch.items`
///
/// One strict pass makes a row of values for each of the first events. Further events are scanned again when they are
/// needed, which bounds the memory. If a key occurs twice, the last one counts.
struct Payload {
    private enum Found: Equatable {
        case nothing
        /// A value that is not an array.
        case noArray
        /// An array with this number of elements.
        case array(Int)
    }

    private(set) var scanner: JSONScanner
    private(set) var rules: PayloadRules
    /// The keys that lead to the array of events; empty if the payload itself is the event.
    let path: [[UInt8]]
    /// The keys of arrays whose elements are no events.
    private let others: [[UInt8]]
    /// What was found of the events, and of each of `others`.
    private var found: [Found]
    private let rowLimit: Int
    /// The offset of the next event without a row.
    private var nextEvent = 0
    /// The scanner's row of the event that was begun last.
    private var row = 0
    /// Why a payload is rejected that has not the arrays of its format.
    let misfit: RejectReason

    /// - Parameter rowLimit: the number of events with a row, at least 1. Braze accepts 75 events per body.
    init(_ rules: RecordRules, rowLimit: Int = 1024) {
        assert(rowLimit > 0)
        self.rules = PayloadRules(rules)
        self.rowLimit = rowLimit
        path = rules.eventArray.map { ascii($0) }
        others = rules.otherArrays.map { ascii($0) }
        found = Array(repeating: .nothing, count: 1 + others.count)
        misfit = rules.format == .usersTrack ? .notUsersTrack : .notEvents
        scanner = JSONScanner(capturing: self.rules.paths, takesFirst: true)
    }

    /// The number of events; nil if the payload has not the arrays of its format.
    var events: Int? {
        let fits = !found.contains(.noArray) && found.contains { $0 != .nothing }
        return fits ? count(0) : nil
    }

    /// The number of elements that are not events.
    var othersCount: Int { others.indices.reduce(0) { $0 + count($1 + 1) } }

    private func count(_ part: Int) -> Int {
        if case .array(let count) = found[part] { return count }
        return 0
    }

    /// Begins an event. Call it for all events in order, with the scanned text. Returns the number of its records, at
    /// least 1.
    mutating func begin(_ event: Int, in text: Span<UInt8>) -> Int {
        assert(event < count(0))
        row = event
        if event >= rowLimit {
            row = 0
            scanner.removeRows()
            let end = scanner.scanRow(text, at: nextEvent, depth: path.count + 2)
            // A comma and the next element follow, or the closing bracket if this is the last element.
            nextEvent = scanner.skipWhiteSpace(text, at: scanner.skipWhiteSpace(text, at: end) + 1)
        }
        return rules.needsBegin ? Self.begin(text, scanner: scanner, row: row, rules: &rules) : 1
    }

    // A span of the scanner's values would borrow the rules, too, were these no functions of their own.

    private static func begin(
        _ text: Span<UInt8>, scanner: borrowing JSONScanner, row: Int, rules: inout PayloadRules
    ) -> Int {
        rules.begin(text, values: scanner.values(ofRow: row))
    }

    private static func outcome(
        of record: Int, in text: Span<UInt8>, scanner: borrowing JSONScanner, row: Int,
        receipt: PayloadRules.Receipt, rules: inout PayloadRules, delivery: inout [UInt8]
    ) -> Outcome {
        rules.evaluate(record, of: text, values: scanner.values(ofRow: row), receipt: receipt, delivery: &delivery)
    }

    /// Evaluates a record of the event that was begun. The delivery id of an accepted record replaces `delivery`.
    mutating func outcome(
        of record: Int, in text: Span<UInt8>, receipt: PayloadRules.Receipt, delivery: inout [UInt8]
    ) -> Outcome {
        Self.outcome(
            of: record, in: text, scanner: scanner, row: row, receipt: receipt, rules: &rules, delivery: &delivery)
    }

    /// The byte range of the event that was begun last.
    var event: Range<Int> {
        let value = scanner.value(rules.eventPath, row: row)
        return value.isString ? value.start - 1..<value.end + 1 : value.range
    }
}

extension Payload {
    /// Scans a text of one payload, which may be surrounded by white space. Returns false on a fault.
    mutating func scanDocument(_ text: Span<UInt8>) -> Bool {
        let end = scan(text, at: scanner.skipWhiteSpace(text, at: 0))
        guard end >= 0 else { return false }
        let rest = scanner.skipWhiteSpace(text, at: end)
        return rest == text.count || scanner.fail(.trailing, at: rest) >= 0
    }

    /// The offset of the first item of an array of payloads that was scanned, or the text's end; nil if it is no array.
    func firstItem(of text: Span<UInt8>) -> Int? {
        let start = scanner.skipWhiteSpace(text, at: 0)
        guard text[start] == UInt8(ascii: "[") else { return nil }
        let first = scanner.skipWhiteSpace(text, at: start + 1)
        return text[first] == UInt8(ascii: "]") ? text.count : first
    }

    /// The offset of the item after the one that ends at `end`, or the text's end.
    func item(after end: Int, of text: Span<UInt8>) -> Int {
        let comma = scanner.skipWhiteSpace(text, at: end)
        return text[comma] == UInt8(ascii: ",") ? scanner.skipWhiteSpace(text, at: comma + 1) : text.count
    }

    /// Scans the payload at `start`. Returns the offset after it, or -1 on a fault.
    mutating func scan(_ text: Span<UInt8>, at start: Int) -> Int {
        scanner.removeRows()
        for part in found.indices { found[part] = .nothing }
        guard path.isEmpty else { return object(text, at: start, level: 0) }
        found[0] = .array(1)
        return scanner.scanRow(text, at: start, depth: 1)
    }

    /// Scans one event of a payload whose events are read one by one: event 0. Returns the offset after it, or -1 on a
    /// fault.
    mutating func scanEvent(_ text: Span<UInt8>, at start: Int) -> Int {
        scanner.removeRows()
        found[0] = .array(1)
        return scanner.scanRow(text, at: start, depth: path.count + 2)
    }

    /// Scans an object from which the keys of `path` from `level` on lead to the events.
    private mutating func object(_ text: Span<UInt8>, at start: Int, level: Int) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: "{") else {
            return scanner.scan(text, at: start, node: -1, depth: level + 1)
        }
        guard level < JSONScanner.maxDepth else { return scanner.fail(.depth, at: start) }
        var index = scanner.skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "}") { return index + 1 }
        while true {
            let (name, value) = scanner.key(text, at: index)
            guard value >= 0 else { return -1 }
            index = member(of: text, named: name, value: value, level: level)
            guard index >= 0 else { return -1 }
            index = scanner.skipWhiteSpace(text, at: index)
            guard index < text.count else { return scanner.fail(.end, at: index) }
            if text[index] == UInt8(ascii: "}") { return index + 1 }
            guard text[index] == UInt8(ascii: ",") else { return scanner.fail(.commaOrBrace, at: index) }
            index = scanner.skipWhiteSpace(text, at: index + 1)
        }
    }

    private mutating func member(of text: Span<UInt8>, named name: Range<Int>, value: Int, level: Int) -> Int {
        if scanner.key(text, in: name, is: path[level]) {
            scanner.removeRows()
            found[0] = .nothing
            return level + 1 < path.count
                ? object(text, at: value, level: level + 1) : array(text, at: value, part: 0, depth: level + 2)
        }
        if level == 0, let other = others.firstIndex(where: { scanner.key(text, in: name, is: $0) }) {
            return array(text, at: value, part: other + 1, depth: 2)
        }
        return scanner.scan(text, at: value, node: -1, depth: level + 2)
    }

    /// Scans a value that should be an array: that of the events (part 0) or another.
    private mutating func array(_ text: Span<UInt8>, at start: Int, part: Int, depth: Int) -> Int {
        guard start < text.count, text[start] == UInt8(ascii: "[") else {
            found[part] = .noArray
            return scanner.scan(text, at: start, node: -1, depth: depth)
        }
        guard depth <= JSONScanner.maxDepth else { return scanner.fail(.depth, at: start) }
        var count = 0
        var index = scanner.skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "]") {
            found[part] = .array(0)
            return index + 1
        }
        while true {
            if part == 0, count == rowLimit { nextEvent = index }
            index =
                part == 0 && count < rowLimit
                ? scanner.scanRow(text, at: index, depth: depth + 1)
                : scanner.scan(text, at: index, node: -1, depth: depth + 1)
            guard index >= 0 else { return -1 }
            count += 1
            index = scanner.skipWhiteSpace(text, at: index)
            guard index < text.count else { return scanner.fail(.end, at: index) }
            if text[index] == UInt8(ascii: "]") {
                found[part] = .array(count)
                return index + 1
            }
            guard text[index] == UInt8(ascii: ",") else { return scanner.fail(.commaOrBracket, at: index) }
            index = scanner.skipWhiteSpace(text, at: index + 1)
        }
    }
}
