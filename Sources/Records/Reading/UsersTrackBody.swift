/// Scans a body of Braze's `/users/track`, `{"attributes":[…],"events":[…],"purchases":[…]}`.
///
/// One strict pass over the body makes a row of values for each of the first elements of `events`. Further elements are
/// scanned again when they are needed, which bounds the memory. If an array occurs twice, the last one counts.
struct UsersTrackBody {
    private enum Part: Int, CaseIterable {
        case events, purchases, attributes
    }

    private enum Found: Equatable {
        case nothing
        /// A value that is not an array.
        case noArray
        /// An array with this number of elements.
        case array(Int)
    }

    private(set) var scanner: JSONScanner
    private var found = [Found](repeating: .nothing, count: Part.allCases.count)

    /// - Parameters:
    ///   - paths: the paths to capture in each element of `events`.
    ///   - rowLimit: the number of elements with a row, at least 1. Braze accepts 75 events per body.
    init(paths: [[String]], rowLimit: Int = 1024) {
        self.rowLimit = rowLimit
        // The empty path captures the element itself.
        elementPath = paths.count
        scanner = JSONScanner(capturing: paths + [[]])
    }

    private let elementPath: Int
    private let rowLimit: Int
    /// The offset of the next element without a row.
    private var nextElement = 0

    /// The number of elements of `events`; nil if this is not a users_track body.
    var events: Int? {
        let isUsersTrack = !found.contains(.noArray) && found.contains { $0 != .nothing }
        return isUsersTrack ? count(.events) : nil
    }

    /// The scanner's row for an element of `events`. Call it for all elements in order, with the scanned text.
    mutating func row(of event: Int, in text: Span<UInt8>) -> Int {
        guard event >= rowLimit else { return event }
        scanner.removeRows()
        let end = scanner.scanRow(text, at: nextElement, depth: 3)
        // A comma and the next element follow, or the closing bracket if this is the last element.
        nextElement = scanner.skipWhiteSpace(text, at: scanner.skipWhiteSpace(text, at: end) + 1)
        return 0
    }

    /// The byte range of the element in this row.
    func element(_ row: Int) -> Range<Int> {
        let value = scanner.value(elementPath, row: row)
        return value.isString ? value.start - 1..<value.end + 1 : value.range
    }

    /// The number of elements that are not events.
    var others: Int { count(.purchases) + count(.attributes) }

    private func count(_ part: Part) -> Int {
        if case .array(let count) = found[part.rawValue] { return count }
        return 0
    }

    /// Scans a text of one body, which may be surrounded by white space. Returns false on a fault.
    mutating func scanDocument(_ text: Span<UInt8>) -> Bool {
        let start = scanner.skipWhiteSpace(text, at: 0)
        let end: Int
        if start < text.count, text[start] == UInt8(ascii: "{") {
            end = scan(text, at: start)
        } else {
            clear()
            end = scanner.scan(text, at: start, node: -1, depth: 1)
        }
        guard end >= 0 else { return false }
        let rest = scanner.skipWhiteSpace(text, at: end)
        return rest == text.count || scanner.fail(.trailing, at: rest) >= 0
    }

    /// Scans the body whose opening brace is at `start`. Returns the offset after it, or -1 on a fault.
    mutating func scan(_ text: Span<UInt8>, at start: Int) -> Int {
        clear()
        var index = scanner.skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "}") { return index + 1 }
        while true {
            let (name, value) = scanner.key(text, at: index)
            guard value >= 0 else { return -1 }
            index = member(text, name, value: value)
            guard index >= 0 else { return -1 }
            index = scanner.skipWhiteSpace(text, at: index)
            guard index < text.count else { return scanner.fail(.end, at: index) }
            if text[index] == UInt8(ascii: "}") { return index + 1 }
            guard text[index] == UInt8(ascii: ",") else { return scanner.fail(.commaOrBrace, at: index) }
            index = scanner.skipWhiteSpace(text, at: index + 1)
        }
    }

    private mutating func clear() {
        scanner.removeRows()
        for part in found.indices { found[part] = .nothing }
    }

    private mutating func member(_ text: Span<UInt8>, _ name: Range<Int>, value: Int) -> Int {
        guard let part = part(text, name) else { return scanner.scan(text, at: value, node: -1, depth: 2) }
        if part == .events { scanner.removeRows() }
        guard value < text.count, text[value] == UInt8(ascii: "[") else {
            found[part.rawValue] = .noArray
            return scanner.scan(text, at: value, node: -1, depth: 2)
        }
        return elements(text, at: value, of: part)
    }

    private mutating func elements(_ text: Span<UInt8>, at start: Int, of part: Part) -> Int {
        var count = 0
        var index = scanner.skipWhiteSpace(text, at: start + 1)
        if index < text.count, text[index] == UInt8(ascii: "]") {
            found[part.rawValue] = .array(0)
            return index + 1
        }
        while true {
            if part == .events, count == rowLimit { nextElement = index }
            index =
                part == .events && count < rowLimit
                ? scanner.scanRow(text, at: index, depth: 3) : scanner.scan(text, at: index, node: -1, depth: 3)
            guard index >= 0 else { return -1 }
            count += 1
            index = scanner.skipWhiteSpace(text, at: index)
            guard index < text.count else { return scanner.fail(.end, at: index) }
            if text[index] == UInt8(ascii: "]") {
                found[part.rawValue] = .array(count)
                return index + 1
            }
            guard text[index] == UInt8(ascii: ",") else { return scanner.fail(.commaOrBracket, at: index) }
            index = scanner.skipWhiteSpace(text, at: index + 1)
        }
    }

    private func part(_ text: Span<UInt8>, _ name: Range<Int>) -> Part? {
        if scanner.key(text, name, is: Self.events) { return .events }
        if scanner.key(text, name, is: Self.purchases) { return .purchases }
        return scanner.key(text, name, is: Self.attributes) ? .attributes : nil
    }

    private static let events = ascii("events")
    private static let purchases = ascii("purchases")
    private static let attributes = ascii("attributes")
}
