import Calendar
import Records

/// How a file may have to be read: the keys of a source in a pipeline file that decide it.
package struct SourceDraft: Hashable, Sendable {
    package let format: RecordFormat
    /// The value of the key `layout`.
    package let layoutText: String
    /// Layouts of lines that the first one does not fit, in their order.
    package private(set) var otherLayoutTexts: [String] = []
    /// The values of the key `layout_fields`.
    package private(set) var layoutFields: [JSONFields.Field: [String]]
    /// The path of a line in the JSON object that it is wrapped in; empty if it is not.
    package var unwrap: [String] = []
    /// The path of the requests that carry a payload; empty if it is the default, or not used.
    package var path = ""
    /// The path of the array of events in an object; empty if each object is an event.
    package var elements: [String] = []
    /// Where an event has its values; nowhere for those of the format.
    package var fields: FieldPaths = [:]
    /// The action of all events; empty if each names its own.
    package var action = ""
    /// The paths at which each event of a push has a value. Other events are filtered.
    package var require: [[String]] = []
    /// Of messages with a time for each action: their times. Empty where each object is an event.
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

    /// The same for lines that are in JSON objects.
    func unwrapping(_ path: [String]) -> SourceDraft {
        var draft = self
        draft.unwrap = path
        return draft
    }

    /// Whether each event names its action.
    package var namesActions: Bool { action.isEmpty && times.isEmpty }

    package var isJSON: Bool { if case .json = layout { true } else { false } }

    /// The same with the layouts of another draft after its own. Nil if they cannot be those of one source.
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

    /// Nil if the layout is invalid.
    package var layout: Layout? { layouts.first }

    /// Those that are valid.
    private var layouts: [Layout] {
        layoutTexts.compactMap { text in
            // They are texts that the search has parsed.
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
    /// That the texts are times that no load reads, or names of time zones.
    /// - Parameters:
    ///   - taken: the name of what is taken as the time; empty if nothing is.
    ///   - isRead: whether a load reads a text as a time.
    func doubtsAboutTimes(taken: String, isRead: (String) -> Bool) -> [Doubt] {
        var texts: [String] = []
        if areUnreadTimes(isRead) {
            let instead = taken.isEmpty ? "" : "; the time is taken from \(taken)"
            texts.append("\(name) looks like a time, and is in no form that is read\(instead)")
        }
        if let zones = zoneNames {
            let list = zones.sorted().prefix(3).joined(separator: ", ")
            texts.append("\(name) says \(list), which is not read; 'timezone' is what counts")
        }
        return texts.map { Doubt(.time, text: $0) }
    }
}
