import Calendar
import Configuration
import Events
import Messages
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

/// What somebody has to look at in a draft.
package struct Doubt: Hashable, Sendable {
    /// The most serious first.
    package enum Rank: Int, Sendable {
        case nothingCounts, lostLines, lostFiles, ids, time, status, platform, codes, dialect, actions, mcid, zone,
            files
        case output
    }

    package let rank: Rank
    package let text: String

    package init(_ rank: Rank, text: String) {
        self.rank = rank
        self.text = text
    }
}

/// What the hits of a file leave open about the layout that they fit: what it does not find in them, and what could be
/// meant by two of their values.
struct LayoutDoubts {
    /// The hits that fit the layout.
    private(set) var hits = 0
    /// Of these, those that have each field.
    private(set) var found: [JSONFields.Field: Int] = [:]
    /// A value that is taken, and another one that could be meant.
    private(set) var choices: Set<Doubt> = []

    /// The hits in which other values are looked for.
    private static let examples = 300
    /// A request may end so many milliseconds after it began.
    private static let duration: Int64 = 5000
    /// Farther away it is the time of something else.
    private static let reach: Int64 = 366 * 86_400_000
    /// From so many hits on, one time in all of them is the time of something else.
    private static let many = 10

    init(_ choices: Set<Doubt>) { self.choices = choices }

    /// - Parameters:
    ///   - hinted: the indexes of the lines that seem to hold a hit.
    ///   - day: the date in the file's path.
    init(about draft: SourceDraft, lines: SampleLines, hinted: [Int], on day: LogDate?) {
        guard let layout = draft.layout, layout != .body, let rules = draft.rules() else { return }
        var parser = LineParser(rules)
        parser.beginFile()
        let hinted = Set(hinted)
        var examples: [[UInt8]] = []
        var taken: [LineParser.FoundFields] = []
        for (index, line) in lines.lines.enumerated() {
            guard hinted.contains(index) else {
                _ = parser.takeDirective(line.span)
                continue
            }
            guard let fields = parser.foundFields(in: line.span) else { continue }
            hits += 1
            for field in fields.fields { found[field, default: 0] += 1 }
            guard examples.count < Self.examples else { continue }
            examples.append(line)
            taken.append(fields)
        }
        if taken.count >= Self.many, found[.time] == hits, Set(taken.map(\.time)).count == 1 {
            choices.insert(Doubt(.time, text: "the time is the same in all hits, so it may be that of something else"))
        }
        // A layout with another name says what is what.
        if layout.name == "json" {
            let guess = JSONFieldGuess(examples)
            let names: [JSONFields.Field: String] = [
                .time: guess.unmappedTime ?? "time", .status: "status", .userAgent: "http_user_agent",
            ]
            let mapped = draft.layoutFields.mapValues { $0.joined(separator: ".") }
            compare(taken, with: guess.values, on: day) { mapped[$0] ?? names[$0] ?? "" }
        } else if let columns = LineColumns(layout) {
            compare(taken, with: columns.values(of: examples), on: day, name: columns.taken)
        }
    }

    private mutating func compare(
        _ taken: [LineParser.FoundFields], with places: [HitValues], on day: LogDate?,
        name: (JSONFields.Field) -> String
    ) {
        func doubt(_ rank: Doubt.Rank, what: String, field: JSONFields.Field, rest: String) -> Doubt {
            Doubt(rank, text: "the \(what) is taken from \(name(field)); \(rest)")
        }
        let names = Set([.time, .date, .status, .userAgent].map(name))
        for place in places where !names.contains(place.name) {
            let time = found[.time] == nil ? "" : name(.time)
            choices.formUnion(place.doubtsAboutTimes(taken: time, isRead: \.isLogTime))
            if found[.status] != nil, place.areStatuses(of: taken.count) {
                choices.insert(doubt(.status, what: "status", field: .status, rest: "\(place.name) could be it too"))
            }
            if let times = place.times(of: taken.count, on: day), times.rank < 2 {
                let differing = times.times.count { index, time in
                    taken[index].time.map { (Self.duration + 1...Self.reach).contains(abs(time - $0)) } ?? false
                }
                if differing * 20 > taken.count {
                    choices.insert(doubt(.time, what: "time", field: .time, rest: "\(place.name) has another one"))
                }
            }
            let namesOther = taken.indices.contains { index in
                let platform = place.platform(index)
                return platform != .unknown && platform != taken[index].platform
            }
            if found[.userAgent] != nil, namesOther {
                choices.insert(
                    doubt(
                        .platform, what: "user agent", field: .userAgent,
                        rest: "\(place.name) names another system in some hits"))
            }
        }
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
