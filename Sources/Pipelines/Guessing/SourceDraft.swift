import Calendar
import Records

/// A proposal for reading a file: the keys of a source that decide how records are read.
package struct SourceDraft: Hashable, Sendable {
    package let format: RecordFormat
    /// The value of the key `layout`.
    package let layoutText: String
    /// The layouts for lines that do not fit the first one, in order.
    private(set) var otherLayoutTexts: [String] = []
    /// The values of the key `layout_fields`.
    package private(set) var layoutFields: [JSONFields.Field: [String]]
    /// The path of a line in the JSON object that it is wrapped in; empty if it is not.
    package var unwrap: [String] = []
    /// The path of the requests that carry a payload; empty if it is the default, or not used.
    package var path = ""
    /// The path of the array of events in an object; empty if each object is an event.
    package var elements: [String] = []
    /// Where an event has its values; empty for the format's defaults.
    package var fields: FieldPaths = [:]
    /// The action of all events; empty if each names its own.
    package var action = ""
    /// The paths at which each push event has a value. Events without one of these values are filtered.
    package var require: [[String]] = []
    /// For messages with a time for each action: where these times are. Empty where each object is an event.
    package var times: [ActionTime] = []

    package init(_ format: RecordFormat, layout layoutText: String, fields: [JSONFields.Field: [String]] = [:]) {
        self.format = format
        self.layoutText = layoutText
        layoutFields = fields
    }

    /// Where a message has the time of an action.
    package struct ActionTime: Hashable, Sendable {
        package let action: String
        package let path: [String]
    }

    /// The draft for lines that are wrapped in JSON objects.
    func unwrapping(_ path: [String]) -> SourceDraft {
        var draft = self
        draft.unwrap = path
        return draft
    }

    package var namesActions: Bool { action.isEmpty && times.isEmpty }

    package var isJSON: Bool { if case .json = layout { true } else { false } }

    /// The draft with the layouts of another one after its own. Nil if one source cannot have all of them.
    func joined(to other: SourceDraft) -> SourceDraft? {
        let layouts = layouts + other.layouts
        var draft = self
        draft.otherLayoutTexts += other.layoutTexts
        draft.layoutFields.merge(other.layoutFields) { own, _ in own }
        var rest = other
        rest.path = path
        rest.unwrap = unwrap
        guard layouts.allSatisfy(\.mayBeAmongOthers), layouts.count(where: \.isJSON) < 2, layouts.count > 1,
            other == rest, format == other.format, !layouts.dropFirst().contains(layouts[0])
        else { return nil }
        return draft
    }

    package var layoutTexts: [String] { [layoutText] + otherLayoutTexts }

    /// The first layout; nil if it is invalid.
    package var layout: Layout? { layouts.first }

    /// The valid layouts.
    private var layouts: [Layout] {
        layoutTexts.compactMap { text in
            // The search has parsed these texts before, so an error is not expected.
            let layout = try? Layout(parsing: text)
            if case .json(let fields) = layout { return .json(fields.with(layoutFields)) }
            return layout
        }
    }

    /// Rules for reading records whose actions and dates are not known.
    func rules(zone: ZoneRules = .utc, requireMcid: Bool = false) -> RecordRules? {
        guard let layout else { return nil }
        let codes = Dictionary(uniqueKeysWithValues: (0...9).map { (String($0), UInt16($0)) })
        var rules = RecordRules(
            format: format, requireMcid: requireMcid, layout: layout, actions: format == .collector ? codes : [:],
            zone: zone, window: LogWindow(start: .min / 2, end: .max / 2, days: 0),
            path: path.isEmpty ? format.defaultPath : path, platform: format == .mzip ? .ios : nil,
            fields: fields == [:] ? format.defaultFields : fields)
        rules.layouts = layouts
        rules.unwrap = unwrap
        rules.elements = elements
        rules.require = require
        rules.action = action.isEmpty ? nil : 0
        rules.times = times.enumerated().map { (UInt16($0), $1.path) }
        rules.learnsActions = true
        return rules
    }
}

extension HitValues {
    /// Doubts if the values are times in a form that no load reads, or time zones.
    /// - Parameters:
    ///   - taken: the name of what is taken as the time; empty if nothing is.
    ///   - isRead: whether a load reads a text as a time.
    func doubtsAboutTimes(taken: String, isRead: (String) -> Bool) -> [Doubt] {
        var texts: [String] = []
        if areUnreadTimes(isRead) {
            let instead = taken.isEmpty ? "" : "; the time is taken from \(taken)"
            texts.append("\(name) looks like a time, and is in no form that is read\(instead)")
        }
        if let zones {
            let list = zones.sorted().prefix(3).joined(separator: ", ")
            texts.append("\(name) says \(list), which is not read; 'timezone' is what counts")
        }
        return texts.map { Doubt(.time, text: $0) }
    }
}
