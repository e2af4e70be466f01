import Calendar
import Configuration
import Events
import Records

/// How a file may have to be read: the keys of a source in a pipeline file that decide it.
package struct SourceDraft: Hashable, Sendable {
    package let format: RecordFormat
    /// The value of the key `layout`.
    package let layoutText: String
    /// The values of the key `layout_fields`.
    package let layoutFields: [JSONFields.Field: [String]]
    /// The path of a line in the JSON object that it is wrapped in; empty if it is not.
    package var unwrap: [String] = []
    /// The path of the requests that carry a payload; empty if it is the default, or not used.
    package var path = ""
    /// The path of the array of events in an object; empty if each object is an event.
    package private(set) var elements: [String] = []
    /// The paths in an event; nil for those of the format.
    package private(set) var fields: FieldPaths?

    package init(_ format: RecordFormat, _ layoutText: String, fields: [JSONFields.Field: [String]] = [:]) {
        self.format = format
        self.layoutText = layoutText
        layoutFields = fields
    }

    /// A draft for JSON objects.
    init(_ format: RecordFormat, elements: [String], _ fields: FieldPaths) {
        self.init(format, "body")
        self.elements = elements
        self.fields = fields
    }

    /// The same for lines that are in JSON objects.
    func unwrapping(_ path: [String]) -> SourceDraft {
        var draft = self
        draft.unwrap = path
        return draft
    }

    package var isJSON: Bool { if case .json = layout { true } else { false } }

    /// Nil if the layout is invalid.
    package var layout: Layout? {
        guard let layout = try? Layout(parsing: layoutText) else { return nil }
        guard case .json(let fields) = layout else { return layout }
        return .json(fields.with(layoutFields))
    }

    /// Rules for reading records whose actions and dates are not known.
    func rules(zone: ZoneRules = .utc, requireMcid: Bool = false) -> RecordRules? {
        guard let layout else { return nil }
        let codes = Dictionary(uniqueKeysWithValues: (0...9).map { (String($0), UInt16($0)) })
        var rules = RecordRules(
            format: format, requireMcid: requireMcid, layout: layout, actions: format == .collector ? codes : [:],
            zone: zone, window: LogWindow(start: .min / 2, end: .max / 2, days: 0),
            path: path.isEmpty ? format.defaultPath : path, platform: format == .mzip ? .ios : nil,
            fields: fields ?? format.defaultFields)
        rules.unwrap = unwrap
        rules.elements = elements
        rules.learnsActions = true
        return rules
    }
}
