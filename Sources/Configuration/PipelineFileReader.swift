import Yams

/// Walks the nodes of a pipeline file and collects what is wrong with them. Its methods return nil for a missing value and
/// for a wrong one. A wrong value has been noted, so no pipeline will be returned.
struct PipelineFileReader {
    typealias Fault = PipelineFileError.Fault
    typealias Location = PipelineFileError.Location

    let file: String
    var document: YAMLDocument?
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
        let value: Node

        var valueLocation: Location { Location(value.mark) }
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
    mutating func mapping(_ node: Node, _ what: String, keys: [String]?) -> Mapping? {
        guard case .mapping(let mapping) = node else {
            noteWrongType(node, what, expected: "a mapping")
            return nil
        }
        var entries: [Entry] = []
        var locations: [String: Location] = [:]
        for (key, value) in mapping {
            let location = Location(key.mark)
            guard case .scalar(let scalar) = key else {
                noteWrongType(key, "a key", expected: "text")
                continue
            }
            let text = document?.text(ofKey: scalar) ?? scalar.string
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
        return Mapping(location: Location(node.mark), entries: entries)
    }

    mutating func list(_ entry: Entry) -> [Node]? {
        guard case .sequence(let sequence) = entry.value else {
            noteWrongType(entry.value, "'\(entry.key)'", expected: "a list")
            return nil
        }
        return Array(sequence)
    }

    /// Text of one line that is not empty.
    /// - Parameter isFormat: whether it may hold tabs, and be quoted strings in several lines.
    mutating func text(_ entry: Entry?, isFormat: Bool = false) -> String? {
        guard let entry else { return nil }
        guard case .scalar(let scalar) = entry.value, !isOtherThanText(entry.value) else {
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
        value(entry, expected: "true or false") { $0.tag == .init(.bool) ? $0.bool : nil }
    }

    mutating func wholeNumber(_ entry: Entry?) -> Int? {
        // A tagged integer may be in quotes. A number beyond `Int` is out of every range.
        value(entry, expected: "a whole number") { $0.tag == .init(.int) ? Int($0.plainText) ?? .max : nil }
    }

    mutating func number(_ entry: Entry?) -> Double? {
        value(entry, expected: "a number") { node in
            node.tag == .init(.int) || node.tag == .init(.float) ? node.float ?? Double(node.plainText) : nil
        }
    }

    private mutating func value<Value>(_ entry: Entry?, expected: String, _ read: (Node) -> Value?) -> Value? {
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
        let isTruthValue = entry.value.tag == .init(.bool)
        guard let found = isTruthValue ? entry.value.plainText : text(entry) else { return nil }
        let words = Word.allCases.map(\.rawValue)
        note(.unknownWord(what, found: found, words: words, near: found.nearest(of: words)), at: entry.valueLocation)
        return nil
    }

    // MARK: Types

    private func isOtherThanText(_ node: Node) -> Bool {
        [.bool, .int, .float, .null].contains { node.tag == .init($0) }
    }

    private mutating func noteWrongType(_ node: Node, _ what: String, expected: String) {
        note(.wrongType(what: what, expected: expected, found: describe(node, expected)), at: Location(node.mark))
    }

    private func describe(_ node: Node, _ expected: String) -> String {
        guard case .scalar(let scalar) = node else {
            if case .sequence = node { return "a list" }
            return "a mapping"
        }
        let hint = expected == "text" ? "; put it in quotes" : ""
        if node.tag == .init(.null) { return "empty" }
        if node.tag == .init(.bool) { return "the truth value '\(scalar.string)'" + hint }
        if isOtherThanText(node) { return "the number '\(scalar.string)'" + hint }
        return "the text '\(scalar.string)'"
    }
}

extension Node {
    /// A scalar as the file has it.
    var plainText: String { scalar?.string ?? "" }
}
