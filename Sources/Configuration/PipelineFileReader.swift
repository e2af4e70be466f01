/// Walks the nodes of a pipeline file and collects what is wrong with them. Its methods return nil for a missing value and
/// for a wrong one. A wrong value has been noted, so no pipeline will be returned.
struct PipelineFileReader {
    typealias Fault = PipelineFileError.Fault
    typealias Location = PipelineFileError.Location

    let file: String
    /// The absolute folder in which patterns begin.
    var folder = ""
    private(set) var problems: [PipelineFileError.Problem] = []
    private var warnings: [PipelineFileError.Problem] = []

    init(file: String) {
        self.file = file
    }

    struct Entry {
        let key: String
        let location: Location
        let value: YAMLNode

        var valueLocation: Location { value.location }
    }

    /// A mapping whose keys have been checked.
    struct Mapping {
        let location: Location
        let entries: [Entry]

        subscript(key: String) -> Entry? {
            entries.first { $0.key == key }
        }
    }

    func problem(_ fault: Fault, at location: Location) -> PipelineFileError.Problem {
        .init(file: file, location: location, fault: fault)
    }

    mutating func note(_ fault: Fault, at location: Location) {
        problems.append(problem(fault, at: location))
    }

    /// Notes something that is allowed and looks like a slip.
    mutating func warn(_ fault: Fault, at location: Location) {
        warnings.append(.init(file: file, location: location, fault: fault, isWarning: true))
    }

    var sortedProblems: [PipelineFileError.Problem] { Self.sorted(problems) }
    var sortedWarnings: [PipelineFileError.Problem] { Self.sorted(warnings) }

    /// By location, each once: an anchored node may be read more than once.
    private static func sorted(_ problems: [PipelineFileError.Problem]) -> [PipelineFileError.Problem] {
        var seen: Set<PipelineFileError.Problem> = []
        let once = problems.filter { seen.insert($0).inserted }
        return once.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }.map(
            \.element)
    }

    // MARK: Nodes

    /// - Parameters:
    ///   - what: how messages call it.
    ///   - keys: those that it may have; nil for any.
    mutating func mapping(_ node: YAMLNode, _ what: String, keys: [String]?) -> Mapping? {
        guard case .mapping(let mapping) = node.content else {
            noteWrongType(node, what, expected: "a mapping")
            return nil
        }
        var entries: [Entry] = []
        var locations: [String: Location] = [:]
        for (key, value) in mapping {
            let location = key.location
            guard case .scalar(let scalar) = key.content else {
                noteWrongType(key, "a key", expected: "text")
                continue
            }
            let text = scalar.string
            if let first = locations[text] {
                note(.duplicateKey(text, firstLine: first.line), at: location)
                continue
            }
            locations[text] = location
            if let keys, !keys.contains(text) {
                note(.unknownKey(text, near: text.nearest(of: keys)), at: location)
                continue
            }
            entries.append(Entry(key: text, location: location, value: value))
        }
        return Mapping(location: node.location, entries: entries)
    }

    mutating func list(_ entry: Entry) -> [YAMLNode]? {
        guard case .sequence(let sequence) = entry.value.content else {
            noteWrongType(entry.value, "'\(entry.key)'", expected: "a list")
            return nil
        }
        return sequence
    }

    /// Text of one line that is not empty.
    /// - Parameter isFormat: whether it may hold tabs, and be quoted strings in several lines.
    mutating func text(_ entry: Entry?, isFormat: Bool = false) -> String? {
        guard let entry else { return nil }
        guard case .scalar(let scalar) = entry.value.content, !isOtherThanText(entry.value) else {
            noteWrongType(entry.value, "'\(entry.key)'", expected: "text")
            return nil
        }
        guard !scalar.string.allSatisfy({ $0 == " " }) else {
            note(.emptyValue(entry.key), at: entry.valueLocation)
            return nil
        }
        let hasControls = scalar.string.unicodeScalars.contains {
            $0.properties.generalCategory == .control && !(isFormat && ($0 == "\t" || $0 == "\n"))
        }
        guard !hasControls else {
            note(.controlCharacter(entry.key), at: entry.valueLocation)
            return nil
        }
        return scalar.string
    }

    mutating func flag(_ entry: Entry?) -> Bool? {
        value(entry, expected: "true or false") { $0.flag }
    }

    mutating func wholeNumber(_ entry: Entry?) -> Int? {
        // A number beyond `Int` is out of every range.
        value(entry, expected: "a whole number in decimal digits") { node in
            node.mayBeNumber && node.plainText.wholeMatch(of: /[-+]?(0|[1-9][0-9]*)/) != nil
                ? Int(node.plainText) ?? .max : nil
        }
    }

    mutating func number(_ entry: Entry?) -> Double? {
        value(entry, expected: "a number in decimal digits") { node in
            node.mayBeNumber
                && node.plainText.wholeMatch(of: /[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?/) != nil
                ? Double(node.plainText) : nil
        }
    }

    private mutating func value<Value>(_ entry: Entry?, expected: String, _ read: (YAMLNode) -> Value?) -> Value? {
        guard let entry else { return nil }
        let value = read(entry.value)
        if value == nil { noteWrongType(entry.value, "'\(entry.key)'", expected: expected) }
        return value
    }

    /// One of an enum's raw values. `off` is a truth value in YAML, so what stands there counts, and not its type.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ entry: Entry?, _ what: String) -> Word?
    where Word.RawValue == String {
        guard let entry else { return nil }
        if let word = Word(rawValue: entry.value.plainText) { return word }
        let isTruthValue = entry.value.has(.bool)
        guard let found = isTruthValue ? entry.value.plainText : text(entry) else { return nil }
        let words = Word.allCases.map(\.rawValue)
        note(.unknownWord(what, found: found, words: words, near: found.nearest(of: words)), at: entry.valueLocation)
        return nil
    }

    // MARK: Types

    private func isOtherThanText(_ node: YAMLNode) -> Bool {
        [.bool, .int, .float, .null].contains { node.has($0) }
    }

    private mutating func noteWrongType(_ node: YAMLNode, _ what: String, expected: String) {
        note(.wrongType(what: what, expected: expected, found: describe(node, expected)), at: node.location)
    }

    private func describe(_ node: YAMLNode, _ expected: String) -> String {
        guard case .scalar(let scalar) = node.content else {
            if case .sequence = node.content { return "a list" }
            return "a mapping"
        }
        let hint = expected == "text" ? "; put it in quotes" : ""
        if node.has(.null) { return "empty" }
        if node.has(.bool) { return "the truth value '\(scalar.string)'" + hint }
        if isOtherThanText(node) { return "the number '\(scalar.string)'" + hint }
        return "the text '\(scalar.string)'"
    }
}
