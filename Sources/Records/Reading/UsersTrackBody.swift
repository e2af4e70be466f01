/// Scans a Braze `/users/track` body, `{"attributes":[…],"events":[…],"purchases":[…]}`: one strict pass over the whole,
/// with a row of values for each of the first elements of `events`; should there be more, they are scanned once more when
/// they are asked for, so that no body takes much memory. Of an array that comes twice the last one stands.
struct UsersTrackBody {
    private enum Part: Int, CaseIterable {
        case events, purchases, attributes
    }

    private enum Found {
        case nothing
        case noArray
        /// Of so many elements.
        case array(Int)
    }

    private(set) var scanner: JSONScanner
    private var found = [Found](repeating: .nothing, count: Part.allCases.count)

    /// - Parameters:
    ///   - paths: within an element of `events`.
    ///   - rowLimit: how many elements' values are kept, at least 1; Braze takes 75 of them.
    init(paths: [[String]], rowLimit: Int = 1024) {
        self.rowLimit = rowLimit
        // The element itself is one more path.
        elementPath = paths.count
        scanner = JSONScanner(capturing: paths + [[]])
    }

    private let elementPath: Int
    private let rowLimit: Int
    /// Where the next element without a row begins.
    private var nextElement = 0

    /// The elements of `events`, a row of the scanner each; nil if this is no users_track body.
    var events: Int? { isUsersTrack ? count(.events) : nil }

    /// The scanner's row for an element of `events` of the scanned text; they are to be asked for one after the other.
    mutating func row(of event: Int, in text: Span<UInt8>) -> Int {
        guard event >= rowLimit else { return event }
        scanner.removeRows()
        let end = scanner.scanRow(text, at: nextElement, depth: 3)
        // A comma and the next element follow, or a bracket and nothing that would be asked for.
        nextElement = scanner.skipWhiteSpace(text, at: scanner.skipWhiteSpace(text, at: end) + 1)
        return 0
    }

    /// Where the element in this row lies.
    func element(_ row: Int) -> Range<Int> {
        let value = scanner.value(elementPath, row: row)
        return value.isString ? value.start - 1..<value.end + 1 : value.range
    }

    /// The elements that are no events.
    var others: Int { count(.purchases) + count(.attributes) }

    private var isUsersTrack: Bool {
        var arrays = 0
        for part in found {
            switch part {
            case .nothing: break
            case .noArray: return false
            case .array: arrays += 1
            }
        }
        return arrays > 0
    }

    private func count(_ part: Part) -> Int {
        if case .array(let count) = found[part.rawValue] { return count }
        return 0
    }

    /// Scans a text that is one body with white space around it.
    mutating func scanDocument(_ text: Span<UInt8>) -> Bool {
        let start = scanner.skipWhiteSpace(text, at: 0)
        let end: Int
        if start < text.count, text[start] == UInt8(ascii: "{") {
            end = scan(text, at: start)
        } else {
            forget()
            end = scanner.scan(text, at: start, node: -1, depth: 1)
        }
        guard end >= 0 else { return false }
        let rest = scanner.skipWhiteSpace(text, at: end)
        return rest == text.count || scanner.fail(.trailing, at: rest) >= 0
    }

    /// Scans the body that begins with the brace at `start`, and returns the place behind it, -1 if it has a fault.
    mutating func scan(_ text: Span<UInt8>, at start: Int) -> Int {
        forget()
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

    private mutating func forget() {
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
