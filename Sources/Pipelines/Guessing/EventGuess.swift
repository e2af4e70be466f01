import Calendar
import Messages
import Records

/// Where the events of a vendor's export have what a record needs. The names of keys propose a place, the values decide.
///
///     {"event":{"kind":"message.push.clicked","subscription_id":"…",…},"message":{"id":"…"}}
///     {"push_id":1,"sent_at":"2026-11-19T09:00:00Z","opened_at":null}     a message, with a time for each action
struct EventGuess {
    /// How a load reads the events.
    var draft: SourceDraft
    /// How many events have each name of an action; of messages, how many have a time for each action.
    private(set) var names: [String: Int] = [:]
    /// How many of those that count have each word for a platform, in lower case.
    private(set) var platformWords: [String: Int] = [:]
    /// What somebody has to look at.
    var doubts: Set<Doubt> = []
    /// Whether a name says what happened. Else each event is an action of its own.
    private(set) var isKnown = true
    /// Why these are no events of a push, in words; nil if they are.
    var lack: String?
    /// What the events that count have at each path.
    private(set) var values: [HitValues] = []
    /// Their actions.
    private(set) var actions: [Int: String] = [:]
    /// Their times.
    private(set) var instants: [Int: Int64] = [:]
    /// The date in the file's path.
    private let day: LogDate?

    /// The most names of actions, unless some name a push, and the most words for platforms.
    static let most = 40
    /// Times that differ by fewer milliseconds are taken as the same.
    private static let near: Int64 = 5000
    /// Farther away it is the time of something else, or none.
    private static let far: Int64 = 366 * 86_400_000
    /// So many of a kind are no chance.
    static let many = 10

    /// The best guess for some objects.
    static func best(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?) -> EventGuess {
        let messages = EventGuess(ofMessages: draft, objects: objects, on: day)
        return messages.lack == nil ? messages : EventGuess(for: draft, objects: objects, on: day)
    }

    /// Each object is an event.
    private init(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?) {
        self.draft = draft
        self.day = day
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }
        guard let action = Self.action(among: places) else {
            lack = Self.noAction(places)
            return
        }
        self.draft.fields[.action] = ValuePlace(action.path)
        names = Dictionary(action.texts.values.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.key.isNameOfAction }
        let meanings = EventWords.actions(named: names.keys)
        actions = action.texts.compactMapValues { meanings[$0] }
        // Of an event that does not count nothing is needed.
        values = places.filter { $0.name != action.name }.map { $0.only(actions.keys) }.filter { !$0.texts.isEmpty }
        takeTime()
        takeValues()
        isKnown = names.keys.contains(where: EventWords.isKnown)
        if !isKnown, !self.draft.fields.messageIsOfPush { lack = Self.noAction(places) }
        noteTaps(meanings)
        noteUnknown(meanings)
    }

    /// Each object is an event of one action, which it does not name.
    init(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?, all action: String) {
        self.draft = draft
        self.day = day
        self.draft.action = action
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }
        for place in places { actions.merge(place.texts.mapValues { _ in action }) { a, _ in a } }
        values = places.map { $0.only(actions.keys) }.filter { !$0.texts.isEmpty }
        names = [action: actions.count]
        takeTime()
        takeValues()
    }

    /// Each object is a message, with a time for each action: `sent_at`, `opened_at`.
    private init(ofMessages draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?) {
        self.draft = draft
        self.day = day
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }
        let times = places.filter { $0.actionOfTime != nil && $0.texts.values.allSatisfy(\.isPayloadTime) }
        let byAction = Dictionary(grouping: times) { $0.actionOfTime ?? "" }
        guard byAction.count > 1 else {
            lack = "no object has times of two actions"
            return
        }
        for (action, times) in byAction.sorted(by: { EventWords.order($0.key) < EventWords.order($1.key) }) {
            self.draft.times.append(SourceDraft.ActionTime(action: action, path: times[0].path))
            names[action] = times[0].texts.count
            for other in times.dropFirst() {
                noteOther("time of '\(action)'", taken: times[0].name, other: other.name, rank: .time)
            }
        }
        for place in times { actions.merge(place.texts.mapValues { _ in "" }) { a, _ in a } }
        let isTime = Set(times.map(\.name))
        values = places.filter { !isTime.contains($0.name) }.map { $0.only(actions.keys) }.filter { !$0.texts.isEmpty }
        instants = times[0].times(of: 0, on: day)?.times ?? [:]
        takeValues()
        // In an export of events a message comes again with each.
        let ids = self.draft.fields.idParts + [self.draft.fields[.broadlogID]]
        let parts = values.filter { value in ids.contains { $0.paths.contains(value.path) } }
        let rows = Dictionary(grouping: actions.keys) { row in parts.map { $0.texts[row] } }.values
        let isMessage = rows.count { rows in Set(rows.map { row in times.map { $0.texts[row] } }).count == 1 }
        if isMessage * 4 < rows.count * 3 { lack = "a message has several objects" }
    }

    private mutating func takeValues() {
        takeIDs()
        takeNames()
        takePlatform()
        noteOtherChannels()
        noteTimes()
        // These are the format's fields.
        let fields = draft.fields
        let isTrack = draft.layoutText == "body" && draft.elements == ["events"] && fields[.action] == ["name"]
        if isTrack, fields[.time] == ["time"], draft.require.isEmpty {
            draft = SourceDraft(.usersTrack, layout: "body")
            draft.fields = fields
        }
    }

    // MARK: Action

    /// The place whose values say what happened in most ways. If none has a known word, one with the name of an action.
    private static func action(among places: [HitValues]) -> HitValues? {
        let events = places.map(\.texts.count).max() ?? 0
        let likely =
            places.filter { $0.texts.count * 10 >= events }.compactMap { place in
                let names = Set(place.texts.values)
                let known = names.filter(EventWords.isKnown)
                guard names.count <= most || known.contains(where: EventWords.namesPush) else { return nil }
                return (place: place, meanings: Set(EventWords.actions(named: known).values).count)
            } as [(place: HitValues, meanings: Int)]
        let known = likely.ranked { place, meanings in
            meanings > 0 ? [-meanings, place.position(in: actionWords) ?? actionWords.count] : nil
        }
        // The names may be those of persons.
        let named = likely.ranked { place, _ in place.position(in: actionWords.dropLast()).map { [$0] } }
        return (known.first ?? named.first)?.place
    }

    private static let actionWords = [
        "event", "eventname", "eventtype", "eventkind", "kind", "action", "metric", "activity", "type", "name",
    ]

    private static func noAction(_ places: [HitValues]) -> String {
        let named = places.ranked { place in place.position(in: actionWords.dropLast()).map { [$0] } }.first
        let values = named.map { " (\($0.name) has \(Text.plural(Set($0.texts.values).count, of: "value")))" } ?? ""
        return "no value says what happened, such as 'opened' or 'delivered'\(values)"
    }

    private mutating func noteTaps(_ meanings: [String: String]) {
        let taps = meanings.filter { EventWords.isTap($0.key) }
        guard !taps.isEmpty, !meanings.contains(where: { $0.value == "open" && taps[$0.key] == nil }) else { return }
        let areOpens = taps.values.contains("open")
        let text =
            areOpens
            ? "no name says 'open', so \(taps.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")) counts as open: "
                + "a tap opens the app; write click where it does not"
            : "no name says 'open': where a click opens the app, write open for click, or no message is opened"
        doubts.insert(Doubt(.actions, text: text))
    }

    /// Without an open, one of the names that are not known may be it.
    private mutating func noteUnknown(_ meanings: [String: String]) {
        let unknown = names.filter { meanings[$0.key] == nil && EventWords.isUnknownOfPush($0.key) }
        guard isKnown, !unknown.isEmpty, !meanings.values.contains("open") else { return }
        let listed = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map { "'\($0.key)'" }
        let rest = unknown.count > listed.count ? " and \(unknown.count - listed.count) more" : ""
        let text = "no name says 'open', and it is not known what happens in \(listed.joined(separator: ", "))\(rest)"
        doubts.insert(Doubt(.actions, text: text))
    }

    // MARK: Times

    /// Takes the likeliest time. That of the server comes after that of the event.
    private mutating func takeTime() {
        let words = [
            "occurred", "eventtime", "eventtimestamp", "timestamp", "time", "at", "ts", "datetime", "createdat",
        ]
        let later = ["process", "receiv", "server", "upload", "ingest", "sent", "export", "updat", "schedul", "expir"]
        let readable = values.compactMap { place in
            place.texts.values.allSatisfy(\.isPayloadTime) && !isIDOrConstant(place)
                ? place.times(of: actions.count, on: day).map { (place: place, times: $0.times, rank: $0.rank) } : nil
        }
        let ranked = readable.ranked { place, _, rank in
            [later.contains { place.word.contains($0) } ? 1 : 0, rank, place.position(in: words) ?? words.count]
        }
        guard let best = ranked.first else {
            let unread = values.first { $0.areUnreadTimes(\.isPayloadTime) }
            lack =
                unread.map { "the time at '\($0.name)' is neither a number nor written as 2026-11-19T10:00:00Z" }
                ?? "no time is beside '\(draft.fields[.action].text)', which says what happened"
            return
        }
        draft.fields[.time] = ValuePlace(best.place.path)
        instants = best.times
        let others = ranked.dropFirst().filter { other in
            let differing = other.times.count { index, time in
                best.times[index].map { (Self.near...Self.far).contains(abs($0 - time)) } ?? false
            }
            return differing * 20 > other.times.count
        }
        guard let other = others.first?.place.name else { return }
        let rest = others.count > 1 ? "\(other) and \(others.count - 1) more have others" : "\(other) has another one"
        doubts.insert(Doubt(.time, text: "the time is taken from \(best.place.name); \(rest)"))
    }

    /// Whether a number that could be a time is rather an id, or never changes.
    private func isIDOrConstant(_ place: HitValues) -> Bool {
        if actions.count >= Self.many, Set(place.texts.values).count == 1 { return true }
        return place.isNamedAsID
    }

    private mutating func noteTimes() {
        for place in values {
            doubts.formUnion(place.doubtsAboutTimes(taken: draft.fields[.time].text, isRead: \.isPayloadTime))
        }
    }

    // MARK: Platform and channel

    private mutating func takePlatform() {
        let words = [
            "platform", "devicetype", "subscriptiondevicetype", "sdkplatform", "deviceplatform", "os", "osname",
        ]
        let best = values.ranked { place in
            let known = place.texts.values.count { EventWords.platform($0.lowercased()) != nil }
            let isLikely =
                known * 2 > actions.count && known * 10 >= place.texts.count * 8
                && Set(place.texts.values).count <= Self.most
            return isLikely ? [-known, place.position(in: words) ?? words.count] : nil
        }.first
        draft.fields[.platform] = ValuePlace(best?.path ?? [])
        let texts = best?.texts.values.map { $0.lowercased() }.filter(\.isNameOfAction) ?? []
        platformWords = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// An export may have e-mails beside pushes, with the same names.
    private mutating func noteOtherChannels() {
        let words = ["channel", "objecttype", "messagetype", "channeltype", "campaigntype", "medium", "type"]
        let others = ["email", "sms", "inapp", "iam", "whatsapp", "webhook", "inbox", "contentcard"]
        for place in values where place.position(in: words) != nil {
            let found = place.texts.values.map { $0.lowercased().filter(\.isLetter) }.filter(others.contains)
            guard !found.isEmpty else { continue }
            let kinds = Set(found).sorted().joined(separator: ", ")
            let text = "\(place.name) says \(kinds) in \(found.count) of \(actions.count) events, which count as pushes"
            doubts.insert(Doubt(.codes, text: text))
        }
    }

    // MARK: Doubts

    mutating func noteOther(_ what: String, taken: String, other: String, rank: Doubt.Rank) {
        doubts.insert(Doubt(rank, text: "the \(what) is taken from \(taken); \(other) could be it too"))
    }

    mutating func noteOtherList(_ path: [String]) {
        let text = "another list has events, which a second source would read: 'elements: \(PathText.text(path))'"
        doubts.insert(Doubt(.lostLines, text: text))
    }
}

extension FieldPaths {
    /// Whether the name of the message's id says that it is one, and not only some id.
    fileprivate var messageIsOfPush: Bool {
        let path = (idParts.first ?? self[.broadlogID]).text.lowercased()
        return ["message", "push", "notification", "broadlog", "dispatch"].contains { path.contains($0) }
    }
}

extension HitValues {
    var path: [String] { PathText.names(name) ?? [] }

    /// Of a time whose name says of what: `opened_at`, `timeDelivered`.
    fileprivate var actionOfTime: String? { EventWords.actionOfTime(named: path.last ?? "") }

    /// The values of some hits, without blank ones.
    fileprivate func only(_ hits: Dictionary<Int, String>.Keys) -> HitValues {
        HitValues(name: name, texts: texts.filter { hits.contains($0.key) && !$0.value.allSatisfy(\.isWhitespace) })
    }
}

extension String {
    /// Whether it looks like a name that a program gave, and like nothing of a person. Some vendors put `@` before their own names.
    var isNameOfAction: Bool {
        guard !contains(#/[0-9]{5}/#) else { return false }
        return contains(#/^(?:[A-Za-z\[$_][A-Za-z0-9 ._:\/\[\]$\-]{0,63}|@[A-Z_]{1,63}|[0-9]{1,3})$/#)
    }
}
