import Calendar
import Configuration
import Messages
import Records

/// Where the events of a vendor's export have what a record needs. The names of keys propose a place, the values
/// decide.
///
///     {"event":{"kind":"message.push.clicked","subscription_id":"…",…},"message":{"id":"…"}}
///     {"push_id":1,"sent_at":"2026-11-19T09:00:00Z","opened_at":null}     a message, with a time for each action
struct EventGuess {
    /// How a load reads the events.
    var draft: SourceDraft
    /// The number of events by the name of their action. For messages, the number of messages that have a time for each
    /// action.
    private(set) var names: [String: Int] = [:]
    /// The same of names that may be personal. They do not count, and only their number is shown.
    private(set) var hiddenNames: [String: Int] = [:]
    /// The number of counting events by the word for their platform, in lower case.
    private(set) var platformWords: [String: Int] = [:]
    /// The points that a person has to check.
    var doubts: Set<Doubt> = []
    /// Whether a known name says what happened. Otherwise each name becomes an action of its own.
    private(set) var isKnown = true
    /// Why the objects are no push events, in words; nil if they are.
    var lack: String?
    /// The values of the counting events, by path.
    private(set) var values: [HitValues] = []
    /// The action of each counting event, by the event's index.
    private(set) var actions: [Int: String] = [:]
    /// The time of each event, in milliseconds, by the event's index. Of a message, the first of its times.
    private(set) var instants: [Int: Int64] = [:]
    /// Of a table, why columns are not read, in words; empty if all are.
    private(set) var unreadColumns = ""
    /// The date in the file's path.
    private let day: LogDate?

    /// The most names of actions, unless some name a push, and the most words for platforms.
    static let most = 40
    /// Times that differ by fewer milliseconds count as equal.
    private static let near: Int64 = 5000
    /// A time that differs by more milliseconds is of something else, or no time at all.
    private static let far: Int64 = 366 * 86_400_000
    /// From this number on, equal values are taken as no coincidence.
    static let many = 10

    static func best(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?) -> EventGuess {
        let messages = EventGuess(ofMessages: draft, objects: objects, on: day)
        let events = EventGuess(for: draft, objects: objects, on: day)
        guard messages.lack == nil else { return events }
        return events.isLog(besideTimesOf: messages) ? events : messages
    }

    /// Whether the names of these events say more than the times of the same objects. An SDK's event has the time at
    /// which it was sent, and that at which a server received it; a message has no time of what has not happened to it.
    private func isLog(besideTimesOf messages: EventGuess) -> Bool {
        let timed = messages.draft.times.map(\.action)
        let named = Set(actions.values)
        let areAllThere = timed.allSatisfy { messages.names[$0] == messages.actions.count }
        return lack == nil && isKnown && areAllThere && (named.count > 1 || !named.isSubset(of: timed))
    }

    /// Each object is an event.
    private init(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?) {
        self.draft = draft
        self.day = day
        noteNamesTwice(objects)
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }
        guard let action = Self.action(among: places) else {
            lack = Self.noAction(places)
            return
        }
        self.draft.fields[.action] = ValuePlace(action.path)
        let counts = Dictionary(action.texts.values.map { ($0, 1) }, uniquingKeysWith: +)
        names = counts.filter { $0.key.isNameOfAction }
        hiddenNames = counts.filter { !$0.key.isNameOfAction }
        let meanings = EventWords.actions(named: names.keys)
        actions = action.texts.compactMapValues { meanings[$0] }
        // Only events that count need their other values.
        values = places.filter { $0.name != action.name }.map { $0.only(actions.keys) }.filter { !$0.texts.isEmpty }
        takeTime()
        takeValues()
        isKnown = names.keys.contains(where: EventWords.isKnown)
        if !isKnown, !self.draft.fields.messageIsOfPush { lack = Self.noAction(places) }
        noteTaps(meanings)
        noteUncounted(meanings)
    }

    /// Each object is an event of one action, which it does not name.
    init(for draft: SourceDraft, objects: JSONFieldGuess, on day: LogDate?, all action: String) {
        self.draft = draft
        self.day = day
        noteNamesTwice(objects)
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
        noteNamesTwice(objects)
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }.map { $0.only($0.texts.keys) }
        let timed = places.filter { $0.areTimesOfStates(on: day) }
        let times = timed.ranked { place in place.actionOfTime.map { [EventWords.order($0)] } }
        let byAction = Dictionary(grouping: times) { $0.actionOfTime ?? "" }
        guard byAction.count > 1 else {
            lack = "no object has times of two actions"
            return
        }
        for (action, times) in byAction.sorted(by: { EventWords.order($0.key) < EventWords.order($1.key) }) {
            self.draft.times.append(SourceDraft.ActionTime(action: action, path: times[0].path))
            names[action] = times[0].texts.count
            noteUnread(at: times[0], of: times[0].texts.count, things: "value")
            for other in times.dropFirst() {
                noteOther("time of '\(action)'", taken: times[0].name, other: other.name, rank: .time)
            }
        }
        let unnamed = timed.filter { $0.actionOfTime == nil }.map(\.name)
        if !unnamed.isEmpty {
            let columns = unnamed.joined(separator: ", ")
            let text = "not read: \(columns), since no known word says what happened then; 'times' can name it"
            doubts.insert(Doubt(.time, text: text))
        }
        for place in times { actions.merge(place.texts.mapValues { _ in "" }) { a, _ in a } }
        let isTime = Set(times.map(\.name))
        values = places.filter { !isTime.contains($0.name) }.map { $0.only(actions.keys) }.filter { !$0.texts.isEmpty }
        instants = times[0].times(of: 0, on: day)?.times ?? [:]
        takeValues()
        // A message that occurs in several objects with different times means that the objects are events.
        let ids = self.draft.fields.idParts + [self.draft.fields[.broadlogID]]
        let parts = values.filter { value in ids.contains { $0.paths.contains(value.path) } }
        let rows = Dictionary(grouping: actions.keys) { row in parts.map { $0.texts[row] } }.values
        let isMessage = rows.count { rows in Set(rows.map { row in times.map { $0.texts[row] } }).count == 1 }
        if isMessage * 4 < rows.count * 3 { lack = "a message has several objects" }
    }

    /// The times that a load counts of messages: those near the date in the path, or near the first times of all
    /// messages. Nil if the objects are events, since a load counts these whatever their time is.
    var window: LogWindow? {
        let days = day.map { [$0] } ?? instants.values.map { LogDate(dayNumber: Int($0 / 86_400_000)) }
        guard !draft.times.isEmpty, let first = days.min(), let last = days.max() else { return nil }
        return LogWindow(
            start: Int64(first.dayNumber) * 86_400_000, end: Int64(last.dayNumber + 1) * 86_400_000,
            days: Pipeline.defaultWindowDays)
    }

    private mutating func takeValues() {
        takeIDs()
        takeNames()
        takePlatform()
        noteOtherChannels()
        noteTimes()
        // These paths are the defaults of users_track, so the draft can use that format.
        let fields = draft.fields
        let isTrack = draft.layoutText == "body" && draft.elements == ["events"] && fields[.action] == ["name"]
        if isTrack, fields[.time] == ["time"], draft.require.isEmpty {
            draft = SourceDraft(.usersTrack, layout: "body")
            draft.fields = fields
        }
    }

    // MARK: Action

    /// The place whose values name the most kinds of actions. If no value is a known word, a place whose key is named
    /// like an action.
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
        // The key `name` is left out here: its values may be the names of persons.
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

    // MARK: Times

    private static let timeWords = [
        "occurred", "eventtime", "eventtimestamp", "timestamp", "time", "at", "ts", "datetime", "createdat",
    ]

    /// Takes the likeliest time. Server times come after the times of events.
    private mutating func takeTime() {
        let later = ["process", "receiv", "server", "upload", "ingest", "sent", "export", "updat", "schedul", "expir"]
        let readable = values.compactMap { place in
            place.texts.values.areMostly(\.isPayloadTime) && !isIDOrConstant(place)
                ? place.times(of: actions.count, on: day).map { (place: place, times: $0.times, rank: $0.rank) } : nil
        }
        let ranked = readable.ranked { place, _, rank in
            [
                place.areOfMost(actions.count) ? 0 : 1, later.contains { place.word.contains($0) } ? 1 : 0, rank,
                place.position(in: Self.timeWords) ?? Self.timeWords.count,
            ]
        }
        guard let best = ranked.first else {
            lack = lackOfTime
            return
        }
        draft.fields[.time] = ValuePlace(best.place.path)
        instants = best.times
        noteUnread(at: best.place, of: actions.count, things: "event")
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

    /// Why no value is taken as the time, in words.
    private var lackOfTime: String {
        if let unread = values.first(where: { $0.areUnreadTimes(\.isPayloadTime) }) {
            return "the time at '\(unread.name)' is neither a number nor written as 2026-11-19T10:00:00Z"
        }
        let rare = values.filter { !isIDOrConstant($0) }.map { place in
            let isNamed = place.position(in: Self.timeWords) != nil
            let times = place.texts.values.count {
                $0.isPayloadTime && $0.isLogTime && (isNamed || Double($0) == nil)
            }
            return (name: place.name, times: times)
        }.ranked { $0.times > 0 && $0.times * 10 < actions.count * 9 ? [-$0.times] : nil }.first
        guard let rare else {
            return "no time is \(besideAction)" + (draft.namesActions ? ", which says what happened" : "")
        }
        let events = Text.plural(actions.count, of: "event")
        return "only \(Text.number(rare.times)) of \(events) have a time at '\(rare.name)'"
    }

    /// Where another value of an event is, in words.
    var besideAction: String {
        let action = draft.fields[.action]
        return action.isNowhere ? "in the events" : "beside '\(action.text)'"
    }

    /// Notes that some of so many things have no time, since a load may reject them.
    private mutating func noteUnread(at place: HitValues, of all: Int, things thing: String) {
        let without = all - place.texts.values.count(where: \.isPayloadTime)
        guard without > 0 else { return }
        let example = place.usualText { !$0.isPayloadTime }.map { ", such as '\($0)'" } ?? ""
        let number = "\(Text.number(without)) of \(Text.plural(all, of: thing))"
        doubts.insert(Doubt(.time, text: "no time can be read at \(place.name) in \(number)\(example)"))
    }

    /// Whether a number that could be a time is an id, or is the same in all events.
    private func isIDOrConstant(_ place: HitValues) -> Bool {
        if actions.count >= Self.many, Set(place.texts.values).count == 1 { return true }
        return place.isNamedAsID
    }

    private mutating func noteTimes() {
        for place in values where draft.fields[.time].paths != [place.path] {
            doubts.formUnion(place.doubtsAboutTimes(taken: draft.fields[.time].text, isRead: \.isPayloadTime))
        }
    }

    // MARK: Platform and channel

    private mutating func takePlatform() {
        let words = [
            "platform", "devicetype", "subscriptiondevicetype", "sdkplatform", "deviceplatform", "os", "osname",
        ]
        let named = values.ranked { place in place.position(in: words).map { [$0] } }
        let best = values.ranked { place in
            let known = place.texts.values.count { EventWords.platform($0.lowercased()) != nil }
            let position = place.position(in: words)
            // What is named so may also have words for platforms that are not counted: Windows, Smart TV.
            let isLikely =
                position != nil
                ? known * 10 >= place.texts.count : known * 2 > actions.count && known * 10 >= place.texts.count * 8
            return isLikely && place.distinct <= Self.most ? [-known, position ?? words.count] : nil
        }.first
        if best == nil, let left = named.first {
            let known = Set(left.texts.values).count { EventWords.platform($0.lowercased()) != nil }
            let number = "\(Text.number(known)) of its \(Text.plural(left.distinct, of: "value"))"
            let limit = left.distinct > Self.most ? ", and a draft lists at most \(Self.most)" : ""
            let text = "the platform is not read from \(left.name): \(number) name one\(limit)"
            doubts.insert(Doubt(.platform, text: text))
        }
        draft.fields[.platform] = ValuePlace(best?.path ?? [])
        let texts = best?.texts.values.map { $0.lowercased() } ?? []
        platformWords = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.key.isNameOfAction }
    }

    /// Notes channels beside push: an export may have e-mails with the same names of actions.
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

    private mutating func noteNamesTwice(_ objects: JSONFieldGuess) {
        let names = objects.namesTwice.sorted()
        guard !names.isEmpty else { return }
        unreadColumns = "the header has \(names.joined(separator: ", ")) twice, so no value can be read there"
        doubts.insert(Doubt(.ids, text: unreadColumns))
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

    /// The action in the name of a time: `opened_at`, `timeDelivered`, `opened`; nil for other names.
    fileprivate var actionOfTime: String? { EventWords.actionOfTime(named: path.last ?? "") }

    /// Whether they are times, as of a state of each message. What has not happened may be written as a text: NULL, \N, -.
    /// - Parameter day: the date in the file's path.
    fileprivate func areTimesOfStates(on day: LogDate?) -> Bool {
        let times = texts.filter { $0.value.isPayloadTime }
        guard !times.isEmpty, !isNamedAsID else { return false }
        if EventWords.namesTime(path.last ?? "") { return true }
        // Without a word for a time, numbers may be something else.
        let others = Set(texts.values.filter { !$0.isPayloadTime })
        let areWritten = times.values.contains { Double($0) == nil }
        return others.count < 2 && (areWritten || HitValues(name: name, texts: times).times(of: 0, on: day) != nil)
    }

    /// The most frequent text that is of a kind, as an example for a message. Nil if there is none, or if it is too long
    /// or may be personal. A text of zeros, such as `0000-00-00 00:00:00`, is not personal.
    fileprivate func usualText(_ isOfKind: (String) -> Bool) -> String? {
        let counts = Dictionary(texts.values.filter(isOfKind).map { ($0, 1) }, uniquingKeysWith: +)
        let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return usual.flatMap { $0.utf8.count <= 20 && $0.filter { $0 != "0" }.isNameOfProgram ? $0.shown : nil }
    }

    /// The values of the given events, without blank values.
    fileprivate func only(_ hits: Dictionary<Int, String>.Keys) -> HitValues {
        HitValues(name: name, texts: texts.filter { hits.contains($0.key) && !$0.value.allSatisfy(\.isWhitespace) })
    }
}

extension String {
    /// Whether the text looks like a name from a program and like nothing personal. Some vendors begin their own names
    /// with `@`.
    var isNameOfAction: Bool { isNameOfProgram && contains(Self.nameOfAction) }

    // A `Regex` never changes, but is not Sendable.
    nonisolated(unsafe) private static let nameOfAction =
        #/^(?:[\p{L}\[($_][\p{L}\p{M}\p{N} ._:\/\[\]()$&+,;!?'’–\-]{0,63}|@[A-Z_]{1,63}|[0-9]{1,3})$/#
}
