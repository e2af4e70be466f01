/// Walks through an object that is too long to be held, from one of its events to the next:
///
///     {"sent_at":…,"batch":[{"kind":…},{"kind":…},…]}      `elements: batch`
///
/// It takes a token at a time and remembers only which containers are open. So the object may have any length and may
/// come in pieces of any size. Should the array of events be there twice, the events of both count: those of the first
/// are gone.
struct LongBody {
    enum Step {
        /// An event begins. `skipEvent` goes on after it; if `passesEvent` is set, `walk` does.
        case event(at: Int)
        /// The event that was to be passed has ended.
        case passed(end: Int)
        /// The object has ended.
        case ended(end: Int)
        /// More bytes are needed, those from this offset on again.
        case moreNeeded(from: Int)
        case fault(at: Int)
    }

    private enum Token {
        case firstKey, key, colon, value, firstElement, element
        /// A comma, or the end of the innermost container.
        case comma
        case restOfKey, restOfString
    }

    /// The keys that lead to the array of events.
    private let path: [[UInt8]]
    /// The most bytes of a key or a number. A longer key is not in the path. A longer number is a fault.
    private let limit: Int
    private var scanner = JSONScanner(capturing: [])
    private var next = Token.value
    /// For each open container, from the outermost on, whether it is an object.
    private var containers: [Bool] = []
    /// How many of them lead to the events. The array of events is one.
    private var pathDepth = 0
    /// Whether the last key is the next one of the path.
    private var isOnPath = false
    /// Whether there was an array of events.
    private(set) var hasEvents = false
    /// Whether the next event is passed and not read. It may be of any length.
    var passesEvent = false

    init(_ path: [[UInt8]], limit: Int) {
        assert(!path.isEmpty)
        self.path = path
        self.limit = limit
    }

    private var isAmongEvents: Bool { pathDepth == path.count + 1 && containers.count == pathDepth }

    /// Goes on after an event that was read.
    mutating func skipEvent() {
        assert(isAmongEvents)
        next = .comma
    }

    mutating func walk(_ text: Span<UInt8>, from start: Int) -> Step {
        var index = start
        while true {
            if next == .comma, containers.isEmpty { return .ended(end: index) }
            if next == .comma, passesEvent, isAmongEvents {
                passesEvent = false
                return .passed(end: index)
            }
            let isInString = next == .restOfKey || next == .restOfString
            if !isInString { index = scanner.skipWhiteSpace(text, at: index) }
            guard index < text.count else { return .moreNeeded(from: index) }
            let isElement = next == .element || next == .firstElement && text[index] != UInt8(ascii: "]")
            if isElement, isAmongEvents, !passesEvent { return .event(at: index) }
            let end = take(text, at: index)
            if end < 0 {
                guard scanner.fault == .end else { return .fault(at: scanner.faultOffset) }
                return .moreNeeded(from: isInString ? scanner.stringRest : index)
            }
            index = end
        }
    }

    /// Takes the token at an offset. Returns the offset after it, or -1.
    private mutating func take(_ text: Span<UInt8>, at index: Int) -> Int {
        let byte = text[index]
        switch next {
        case .colon:
            guard byte == UInt8(ascii: ":") else { return scanner.fail(.colon, at: index) }
            next = .value
            return index + 1
        case .comma where byte == UInt8(ascii: ","):
            next = containers.last == true ? .key : .element
            return index + 1
        case .comma,
            .firstKey where byte == UInt8(ascii: "}"),
            .firstElement where byte == UInt8(ascii: "]"):
            return close(byte, at: index)
        case .firstKey, .key: return key(text, at: index)
        case .value, .firstElement, .element: return value(text, at: index)
        case .restOfKey, .restOfString:
            let end = scanner.restOfString(text, at: index)
            if end >= 0 { next = next == .restOfKey ? .colon : .comma }
            return end
        }
    }

    private mutating func close(_ byte: UInt8, at index: Int) -> Int {
        let isObject = containers.last == true
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            return scanner.fail(isObject ? .commaOrBrace : .commaOrBracket, at: index)
        }
        containers.removeLast()
        pathDepth = min(pathDepth, containers.count)
        next = .comma
        return index + 1
    }

    private mutating func key(_ text: Span<UInt8>, at index: Int) -> Int {
        guard text[index] == UInt8(ascii: "\"") else { return scanner.fail(.key, at: index) }
        let text = text.extracting(0..<min(text.count, index + limit))
        let end = scanner.string(text, at: index)
        let depth = containers.count
        if end >= 0 {
            isOnPath =
                pathDepth == depth && depth <= path.count
                && scanner.key(text, in: index + 1..<end - 1, is: path[depth - 1])
            next = .colon
            return end
        }
        guard scanner.fault == .end, text.count == index + limit else { return -1 }
        isOnPath = false
        next = .restOfKey
        return scanner.stringRest
    }

    private mutating func value(_ text: Span<UInt8>, at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard containers.count < JSONScanner.maxDepth else { return scanner.fail(.depth, at: index) }
            open(isObject: text[index] == UInt8(ascii: "{"))
            return index + 1
        case UInt8(ascii: "\""):
            let end = scanner.string(text, at: index)
            guard end < 0, scanner.fault == .end else {
                next = .comma
                return end
            }
            next = .restOfString
            return scanner.stringRest
        case let first:
            let text = text.extracting(0..<min(text.count, index + limit))
            let end = scanner.scan(text, at: index, node: -1, depth: 1)
            // Digits may go on.
            let isOpen = end < 0 ? scanner.fault == .end : end == text.count && JSONScanner.beginsNumber(first)
            next = .comma
            guard isOpen else { return end }
            next = .value
            let isLong = text.count == index + limit
            return isLong ? scanner.fail(.number, at: text.count - 1) : scanner.fail(.end, at: text.count)
        }
    }

    private mutating func open(isObject: Bool) {
        let depth = containers.count
        let isOfPath = depth == 0 || isOnPath && pathDepth == depth && containers.last == true
        // The last key of the path leads to an array, the others lead to objects.
        if isOfPath, isObject == (depth < path.count) {
            pathDepth = depth + 1
            if !isObject { hasEvents = true }
        }
        containers.append(isObject)
        next = isObject ? .firstKey : .firstElement
    }
}
