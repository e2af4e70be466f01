import Messages

/// Walks the nodes of a pipeline file and collects its faults. A method returns nil for a missing value and for a wrong
/// one. A wrong value adds a fault, so no pipeline is returned in the end.
struct PipelineFileReader {
    typealias Place = YAMLNode.Place

    /// The path as given. Messages show it.
    let file: String
    /// The absolute folder in which patterns begin.
    let folder: String
    private(set) var faults: [Message] = []
    private var doubts: [Message] = []
    /// The lines in which the sources stand, by name.
    var sourceLines: [String: Int] = [:]
    /// The id spaces of the sources that have faults.
    var faultyIDSpaces: Set<String> = []
    /// Where the source of a name says its actions, if it does.
    var actionPlaces: [String: Place] = [:]
    /// The errors if past log dates are to be loaded, and those if this machine alone is to load the files.
    var undatedFiles: [Message] = []
    var filesAtURI: [Message] = []

    init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    struct Entry {
        let key: String
        let place: Place
        let value: YAMLNode

        /// An item of the entry's list, treated as the entry's only value.
        func with(_ item: YAMLNode) -> Entry { Entry(key: key, place: place, value: item) }
    }

    /// A mapping whose keys have been checked.
    struct Mapping {
        let place: Place
        let entries: [Entry]

        subscript(key: String) -> Entry? {
            entries.first { $0.key == key }
        }
    }

    // MARK: Messages

    func message(_ code: MessageCode, text: MessageText, at place: Place) -> Message {
        Message(code, text: text, path: file, line: place.line, column: place.column).shown(.stored)
    }

    mutating func fault(_ code: MessageCode, text: MessageText, at place: Place) {
        faults.append(message(code, text: text, at: place))
    }

    /// Adds a warning about a likely mistake.
    mutating func warn(_ code: MessageCode, text: MessageText, at place: Place) {
        doubts.append(message(code, text: text, at: place))
    }

    var error: PipelineFileError { PipelineFileError(messages: Self.sorted(faults), warnings: warnings) }
    var warnings: [Message] { Self.sorted(doubts) }

    /// In the order of the file, each once: an anchored node may be read more than once.
    private static func sorted(_ messages: [Message]) -> [Message] {
        var seen: Set<Message> = []
        let once = messages.filter { seen.insert($0).inserted }
        let order = once.enumerated().map { ($1.line ?? 0, $1.column ?? 0, $0) }.sorted(by: <)
        return order.map { once[$0.2] }
    }

    // MARK: Nodes

    /// - Parameters:
    ///   - what: the mapping's name in messages.
    ///   - keys: the allowed keys; nil to allow any.
    mutating func mapping(_ node: YAMLNode, called what: MessageText, keys: [String]?) -> Mapping? {
        guard case .mapping(let pairs) = node.content else {
            noteWrongType(of: node, called: what, expected: "a mapping")
            return nil
        }
        var entries: [Entry] = []
        var lines: [String: Int] = [:]
        for (node, value) in pairs {
            guard case .scalar(let scalar) = node.content else {
                noteWrongType(of: node, called: "a key", expected: "text")
                continue
            }
            let key = scalar.string
            if let first = lines[key] {
                fault(.duplicateKey, text: "duplicate key '\(key)', first in line \(first)", at: node.place)
                continue
            }
            lines[key] = node.place.line
            if let keys, !keys.contains(key) {
                fault(.unknownKey, text: "unknown key '\(key)'" + .didYouMean(key.nearest(of: keys)), at: node.place)
                continue
            }
            entries.append(Entry(key: key, place: node.place, value: value))
        }
        return Mapping(place: node.place, entries: entries)
    }

    mutating func list(_ entry: Entry) -> [YAMLNode]? {
        guard case .list(let nodes) = entry.value.content else {
            noteWrongType(of: entry.value, called: "'\(entry.key)'", expected: "a list")
            return nil
        }
        if nodes.isEmpty { noteEmpty(entry) }
        return nodes
    }

    /// Text of one line that is not empty.
    /// - Parameter isFormat: whether it may hold tabs, and be quoted strings in several lines.
    mutating func text(_ entry: Entry?, isFormat: Bool = false) -> String? {
        guard let entry else { return nil }
        guard case .scalar(let scalar) = entry.value.content, !isOtherThanText(entry.value) else {
            noteWrongType(of: entry.value, called: "'\(entry.key)'", expected: "text")
            return nil
        }
        let text = scalar.string
        if text.allSatisfy({ $0 == " " }) {
            noteEmpty(entry)
            return nil
        }
        let hasControls = text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && !(isFormat && ($0 == "\t" || $0 == "\n"))
        }
        if hasControls {
            fault(
                .controlCharacter, text: "'\(entry.key)' must not hold line breaks or other control characters",
                at: entry.value.place)
            return nil
        }
        return text
    }

    mutating func flag(_ entry: Entry?) -> Bool? {
        value(of: entry, expected: "true or false") { $0.flag }
    }

    mutating func wholeNumber(_ entry: Entry?) -> Int? {
        // A number beyond `Int` is out of every range.
        value(of: entry, expected: "a whole number in decimal digits") { node in
            node.mayBeNumber && node.plainText.wholeMatch(of: /[-+]?(0|[1-9][0-9]*)/) != nil
                ? Int(node.plainText) ?? .max : nil
        }
    }

    mutating func number(_ entry: Entry?) -> Double? {
        value(of: entry, expected: "a number in decimal digits") { node in
            node.mayBeNumber
                && node.plainText.wholeMatch(of: /[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?/) != nil
                ? Double(node.plainText) : nil
        }
    }

    private mutating func value<Value>(of entry: Entry?, expected: String, read: (YAMLNode) -> Value?) -> Value? {
        guard let entry else { return nil }
        let value = read(entry.value)
        if value == nil { noteWrongType(of: entry.value, called: "'\(entry.key)'", expected: expected) }
        return value
    }

    /// One of an enum's raw values. YAML reads `off` as a truth value, so the text of the scalar is used, whatever its
    /// type is.
    /// - Parameter what: how messages call it; by default a value of the key.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ entry: Entry?, called what: String? = nil) -> Word?
    where Word.RawValue == String {
        guard let entry else { return nil }
        if let word = Word(rawValue: entry.value.plainText) { return word }
        let isTruthValue = entry.value.has(.bool)
        guard let found = isTruthValue ? entry.value.plainText : text(entry) else { return nil }
        let words = Word.allCases.map(\.rawValue)
        let quoted = words.map { "'\($0)'" }
        let expected = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
        fault(
            .unknownWord,
            text: "unknown \(what ?? "value of '\(entry.key)'") '\(found)'"
                + .didYouMean(found.nearest(of: words), or: ", expected \(expected)"),
            at: entry.value.place)
        return nil
    }

    // MARK: Faults of any key

    mutating func noteMissing(_ key: String, in owner: MessageText? = nil, at place: Place) {
        fault(.missingKey, text: "missing key '\(key)'" + (owner.map { " in " + $0 } ?? ""), at: place)
    }

    mutating func noteEmpty(_ entry: Entry) {
        fault(.emptyValue, text: "'\(entry.key)' must not be empty", at: entry.value.place)
    }

    mutating func noteRange(of entry: Entry, _ range: MessageText) {
        fault(
            .outOfRange, text: "'\(entry.key)' must be " + range + ", not \(entry.value.plainText)",
            at: entry.value.place)
    }

    mutating func noteTooMany(_ what: MessageText, limit: Int, at place: Place) {
        fault(.tooMany, text: "more than \(limit) " + what, at: place)
    }

    private func isOtherThanText(_ node: YAMLNode) -> Bool {
        [.bool, .int, .float, .null].contains { node.has($0) }
    }

    private mutating func noteWrongType(of node: YAMLNode, called what: MessageText, expected: String) {
        fault(
            .wrongType, text: what + " must be \(expected), not " + describe(node, expected: expected), at: node.place
        )
    }

    private func describe(_ node: YAMLNode, expected: String) -> MessageText {
        let hint: MessageText = expected == "text" ? "; put it in quotes" : ""
        switch node.content {
        case .list: return "a list"
        case .mapping: return "a mapping"
        case .scalar where node.has(.null): return "empty"
        case .scalar where node.has(.bool): return "the truth value '\(node.plainText)'" + hint
        case .scalar where isOtherThanText(node): return "the number '\(node.plainText)'" + hint
        case .scalar: return "the text '\(node.plainText)'"
        }
    }
}
