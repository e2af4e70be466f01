import Calendar
import Messages
import Records

/// Where the events of a vendor's export have what a record needs. The names of keys propose a place, the values decide.
///
///     {"event":{"kind":"message.push.clicked","subscription_id":"…",…},"message":{"id":"…"}}
///
/// Where one value of a message's id stands for several persons with the same action, it is the id of a sending, and a
/// message is that id and the person's together.
struct EventGuess {
    /// The path of the array of events in an object; empty if each object is an event.
    let elements: [String]
    private(set) var fields: FieldPaths = [:]
    /// How many events have each name of an action.
    private(set) var names: [String: Int] = [:]
    /// How many of those that count have each word for a platform, in lower case.
    private(set) var platformWords: [String: Int] = [:]
    /// What somebody has to look at.
    private(set) var doubts: Set<Doubt> = []
    /// Why these are no events of a push, in words; nil if they are.
    private(set) var lack: String?
    /// What the events that count have at each path.
    private var values: [HitValues] = []
    /// Their actions.
    private var actions: [Int: String] = [:]

    /// The most events that are looked at.
    private static let examples = 5000
    /// The most names of actions, and the most words for platforms.
    private static let most = 40
    /// Times that differ by fewer milliseconds are taken as the same.
    private static let near: Int64 = 5000
    /// Farther away it is the time of something else, or none.
    private static let far: Int64 = 366 * 86_400_000
    private static let noAction = "no value says what happened, such as 'opened' or 'delivered'"

    /// The best guess for a file's objects; nil if it has none.
    static func best(_ lines: SampleLines, on day: LogDate?) -> EventGuess? {
        let objects = Elements.of(lines, at: [])
        guard !objects.isEmpty else { return nil }
        let lists = JSONFieldGuess(Array(objects.prefix(20))).listsOfObjects
            .filter { $0.allSatisfy(\.isNameOfProgram) }
        var guesses: [EventGuess] = []
        for path in [[]] + lists {
            let events = path.isEmpty ? objects : Elements.of(lines, at: path)
            guesses.append(EventGuess(path, JSONFieldGuess(Array(events.prefix(examples))), on: day))
            if guesses.last?.lack == nil { return guesses.last }
        }
        return guesses.first { !$0.names.isEmpty } ?? guesses.first
    }

    private init(_ elements: [String], _ objects: JSONFieldGuess, on day: LogDate?) {
        self.elements = elements
        let places = objects.valuesOutsideLists.filter { $0.name.isNameOfProgram }
        guard let action = Self.action(among: places) else {
            lack = Self.noAction
            return
        }
        fields[.action] = ValuePlace(action.path)
        names = Dictionary(action.texts.values.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.key.isNameOfAction }
        let meanings = EventWords.actions(named: names.keys)
        actions = action.texts.compactMapValues { meanings[$0] }
        let isKnown = names.keys.contains(where: EventWords.isKnown)
        // Of an event that does not count nothing is needed.
        values = places.filter { $0.name != action.name }.map { $0.only(actions.keys) }
            .filter { !$0.texts.isEmpty }
        takeTime(on: day)
        takeIDs()
        takePlatform()
        noteOtherChannels()
        if !isKnown, !fields.messageIsOfPush { lack = Self.noAction }
        if meanings.values.contains("click"), !meanings.values.contains("open") {
            let text = "no name says 'open': where a click opens the app, write open for click, or no message is opened"
            doubts.insert(Doubt(.actions, text))
        }
    }

    /// The draft of a source.
    var draft: SourceDraft {
        // These are the format's fields.
        let isTrack = elements == ["events"] && fields[.action] == ["name"] && fields[.time] == ["time"]
        return SourceDraft(isTrack ? .usersTrack : .events, elements: isTrack ? [] : elements, fields)
    }

    // MARK: Action and time

    /// The place whose values say what happened in most ways. If none has a known word, one with the name of an action.
    private static func action(among places: [HitValues]) -> HitValues? {
        let words = [
            "event", "eventname", "eventtype", "eventkind", "kind", "action", "metric", "activity", "type", "name",
        ]
        func meanings(_ place: HitValues) -> Int {
            let known = Set(place.texts.values).filter(EventWords.isKnown)
            return Set(EventWords.actions(named: known).values).count
        }
        let events = places.map(\.texts.count).max() ?? 0
        let few = places.filter { $0.texts.count * 10 >= events && Set($0.texts.values).count <= most }
        let known = few.map { (place: $0, meanings: meanings($0)) }.filter { $0.meanings > 0 }
        let best = known.min { (-$0.meanings, $0.place.rank(words)) < (-$1.meanings, $1.place.rank(words)) }
        // The names may be those of persons.
        let sure = words.dropLast()
        let named = few.filter { $0.rank(words) < sure.count }.min { $0.rank(words) < $1.rank(words) }
        return best?.place ?? named
    }

    /// Takes the likeliest time. That of the server comes after that of the event.
    private mutating func takeTime(on day: LogDate?) {
        let words = [
            "occurred", "eventtime", "eventtimestamp", "timestamp", "time", "at", "ts", "datetime", "createdat",
        ]
        let later = ["process", "receiv", "server", "upload", "ingest", "sent", "export", "updat", "schedul", "expir"]
        let ranked = values.compactMap { place in
            let isLater = later.contains { place.word.contains($0) }
            return place.times(of: actions.count, on: day).map { times, rank in
                (place: place, times: times, rank: [isLater ? 1 : 0, rank, place.rank(words)])
            }
        }.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
        guard let best = ranked.first, best.place.texts.values.allSatisfy(\.isPayloadTime) else {
            let unread = ranked.first?.place ?? values.first { $0.texts.values.allSatisfy(\.beginsWithDate) }
            lack =
                unread.map { "the time at '\($0.name)' is neither a number nor written as 2026-11-19T10:00:00Z" }
                ?? "no time is beside '\(fields[.action].text)', which says what happened"
            return
        }
        fields[.time] = ValuePlace(best.place.path)
        let others = ranked.dropFirst().filter { other in
            let differing = other.times.count { index, time in
                best.times[index].map { (Self.near...Self.far).contains(abs($0 - time)) } ?? false
            }
            return differing * 20 > other.times.count
        }
        guard let other = others.first?.place.name else { return }
        let rest = others.count > 1 ? "\(other) and \(others.count - 1) more have others" : "\(other) has another one"
        doubts.insert(Doubt(.time, "the time is taken from \(best.place.name); \(rest)"))
    }

    // MARK: Ids

    private static let messageWords = [
        "broadlogid", "messageid", "notificationid", "msgid", "mid", "pushid", "dispatchid", "deliveryid", "sendid",
        "message", "notification",
    ]
    private static let eventWords = ["id", "eventid", "insertid"]
    private static let personWords = [
        "subscriptionid", "instanceid", "deviceid", "channelid", "channel", "installationid", "registrationid",
        "device", "devicetoken", "pushtoken", "token", "userid", "externalid", "externaluserid", "customerid",
        "profileid", "contactid", "subscriberid", "recipientid", "nameduserid", "distinctid", "uid", "user", "customer",
        "recipient", "identity", "email", "phone",
    ]
    private static let deliveryWords = [
        "campaignid", "broadcastid", "newsletterid", "canvasid", "journeyid", "workflowid", "deliveryid", "campaign",
        "campaignname", "analyticslabel", "label", "templateid", "dispatchid", "sendid", "groupid",
    ]

    private mutating func takeIDs() {
        // A push token, which is longer, and an address are a person's.
        let ids = values.filter { $0.texts.values.allSatisfy { $0.isID && $0.utf8.count <= 64 && !$0.contains("@") } }
        let people = values.filter { $0.texts.values.allSatisfy(\.isID) && Set($0.texts.values).count > 1 }
        let person = ranked(people, Self.personWords, in: 90).first
        let events = ranked(ids, Self.eventWords, in: 90)
        // What was delivered last did not lead to this event.
        let messages =
            ranked(ids.filter { !$0.name.contains("last") }, Self.messageWords, in: 5) + events.filter(joinsActions)
        let deliveries = ranked(values, Self.deliveryWords, in: 95)
        let single = messages.first { id in person.map { persons($0, with: id) == 1 } ?? true }
        if let single {
            fields[.broadlogID] = ValuePlace(single.path)
            noteSingle(single, person)
        } else if let person, let sending = messages.first ?? deliveries.first {
            fields.idParts = [ValuePlace(sending.path), ValuePlace(person.path)]
            let count = persons(person, with: sending)
            let pair =
                messages.isEmpty
                ? "no id of a message was found, so all that \(sending.name) sends to one \(person.name) is one message"
                : "one \(sending.name) stands for up to \(count) of \(person.name), so a message is both together"
            doubts.insert(Doubt(.ids, pair))
        } else if let event = events.first {
            fields[.broadlogID] = ValuePlace(event.path)
            let text =
                "no id of a message was found; \(event.name) is that of an event, so opens and clicks are not joined"
            doubts.insert(Doubt(.ids, text))
        } else {
            lack = lack ?? "no id of a message is beside '\(fields[.action].text)'"
            return
        }
        let message = fields.idParts.first ?? fields[.broadlogID]
        let delivery = deliveries.first { $0.path != single?.path }
        fields[.deliveryID] = delivery.map { ValuePlace($0.path) } ?? message
        if fields[.deliveryID] == fields[.broadlogID] {
            doubts.insert(Doubt(.ids, "no campaign stands in all events, so each message is a delivery of its own"))
        }
        let others = messages.filter { other in
            ![message, fields[.deliveryID]].contains(ValuePlace(other.path))
                && other.texts.count * 10 >= actions.count * 9
        }
        let chosen = (fields.idParts.isEmpty ? [fields[.broadlogID]] : fields.idParts).map(\.text)
        for other in others {
            let names = chosen.joined(separator: " and ")
            doubts.insert(Doubt(.ids, "the message is taken from \(names); \(other.name) could be it too"))
        }
    }

    private mutating func noteSingle(_ id: HitValues, _ person: HitValues?) {
        if Set(actions.values).count > 1, !joinsActions(id) {
            doubts.insert(Doubt(.ids, "no \(id.name) has two actions; if it is the id of an event, nothing is joined"))
        }
        let people = person.map { Set($0.texts.values).count } ?? 0
        guard people < 10 else { return }
        let found = person.map { "there are only \(people) of \($0.name)" } ?? "no device or user was found"
        let text = "\(found) beside \(id.name); where one goes to several, a message is a list of both"
        doubts.insert(Doubt(.ids, text))
    }

    /// The places with one of these names, or one that ends with it, and a value in so many of a hundred events.
    private func ranked(_ places: [HitValues], _ words: [String], in share: Int) -> [HitValues] {
        places.filter { $0.rank(words) < words.count && $0.texts.count * 100 >= actions.count * share }
            .sorted { $0.rank(words) < $1.rank(words) }
    }

    /// Whether some values have several actions. Those of an event's own id have one.
    private func joinsActions(_ id: HitValues) -> Bool {
        let found = Dictionary(grouping: id.texts.keys, by: { id.texts[$0] })
        return found.values.contains { Set($0.map { actions[$0] }).count > 1 }
    }

    /// The most persons that have one value of an id with one action; 1 if hardly any value has several, since a person may
    /// have two devices.
    private func persons(_ person: HitValues, with id: HitValues) -> Int {
        let found = Dictionary(grouping: id.texts.keys) { [id.texts[$0], actions[$0]] }
            .values.map { Set($0.compactMap { person.texts[$0] }).count }
        let most = found.max() ?? 1
        return most >= 5 || found.count { $0 > 1 } * 10 > found.count ? most : 1
    }

    // MARK: Platform and channel

    private mutating func takePlatform() {
        let words = [
            "platform", "devicetype", "subscriptiondevicetype", "sdkplatform", "deviceplatform", "os", "osname",
        ]
        func known(_ place: HitValues) -> Int {
            place.texts.values.count { EventWords.platform($0.lowercased()) != nil }
        }
        let places = values.map { (place: $0, known: known($0)) }.filter {
            $0.known * 2 > actions.count && $0.known * 10 >= $0.place.texts.count * 8
                && Set($0.place.texts.values).count <= Self.most
        }
        let best = places.min { (-$0.known, $0.place.rank(words)) < (-$1.known, $1.place.rank(words)) }?.place
        fields[.platform] = ValuePlace(best?.path ?? [])
        let texts = best?.texts.values.map { $0.lowercased() }.filter(\.isNameOfAction) ?? []
        platformWords = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// An export may have e-mails beside pushes, with the same names.
    private mutating func noteOtherChannels() {
        let words = ["channel", "objecttype", "messagetype", "channeltype", "campaigntype", "medium", "type"]
        let others = ["email", "sms", "inapp", "iam", "whatsapp", "webhook", "inbox", "contentcard"]
        for place in values where place.rank(words) < words.count {
            let found = place.texts.values.map { $0.lowercased().filter(\.isLetter) }.filter(others.contains)
            guard !found.isEmpty else { continue }
            let kinds = Set(found).sorted().joined(separator: ", ")
            let text = "\(place.name) says \(kinds) in \(found.count) of \(actions.count) events, which count as pushes"
            doubts.insert(Doubt(.codes, text))
        }
    }
}

/// The events of some lines, as a load finds them.
private struct Elements: RecordSink {
    private var found: [[UInt8]] = []

    static func of(_ lines: SampleLines, at path: [String]) -> [[UInt8]] {
        // No event has the action of this draft.
        let draft = SourceDraft(.events, elements: path, [:])
        guard let rules = draft.rules() else { return [] }
        var elements = Elements()
        var reader = RecordReader(rules)
        reader.readSample(lines.bytes.span, isAtEnd: lines.isAtEnd, rules, into: &elements)
        return elements.found
    }

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {}
    mutating func filter(_ reason: FilterReason) {}

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        if reason == .missingAction { found.append(evidence.indices.map { evidence[$0] }) }
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
    fileprivate var path: [String] { PathText.names(name) ?? [] }

    /// The last key in letters of lower case, with the key before it where it says little alone: `messageid`.
    fileprivate var word: String {
        let keys = path.map { $0.lowercased().filter(\.isLetter).replacing(#/[ug]uid$/#, with: "id") }
        guard keys.count > 1, let last = keys.last, ["id", "name", "type", "label", "token"].contains(last) else {
            return keys.last ?? ""
        }
        return keys[keys.count - 2] + last
    }

    /// The position in `words` of the place's name, or else of the id that its name ends with. `words.count` if neither is there.
    fileprivate func rank(_ words: [String]) -> Int {
        let word = word
        return words.firstIndex(of: word) ?? words.firstIndex {
            $0.count > 3 && $0.hasSuffix("id") && word.hasSuffix($0)
        }
            ?? words.count
    }

    fileprivate func only(_ hits: Dictionary<Int, String>.Keys) -> HitValues {
        var values = self
        values.texts = texts.filter { hits.contains($0.key) }
        return values
    }
}

extension String {
    fileprivate var isID: Bool { (1...256).contains(utf8.count) && utf8.allSatisfy { $0 > 0x20 } }

    /// Whether a program gave the key its name. A key that is an address or a long number belongs to a person. `@timestamp` is a name.
    fileprivate var isNameOfProgram: Bool { !contains(#/[^.]@|[0-9]{5}/#) }

    fileprivate var beginsWithDate: Bool {
        prefixMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}\/[0-9]{1,2}\/[0-9]{2}/#) != nil
    }

    /// Whether it looks like a name that a program gave, and like nothing of a person.
    fileprivate var isNameOfAction: Bool {
        contains(#/^(?:[A-Za-z\[$][A-Za-z0-9 ._:\/\[\]$\-]{0,63}|[0-9]{1,3})$/#) && !contains(#/[0-9]{5}/#)
    }
}
