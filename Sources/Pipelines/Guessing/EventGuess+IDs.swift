import Records

/// Which values name the message, the delivery, and what the delivery is called.
///
/// An id that several persons have with the same action is the id of a sending. A message is then the pair of that id
/// and the person's. An id that comes again hours later with the same action belongs to a person.
extension EventGuess {
    private static let messageWords = [
        "broadlogid", "messageid", "notificationid", "msgid", "mid", "pushid", "dispatchid", "deliveryid", "sendid",
        "message", "notification", "msgcode", "messagecode",
    ]
    private static let eventWords = ["id", "eventid", "insertid"]
    private static let personWords = [
        "subscriptionid", "instanceid", "deviceid", "channelid", "channel", "installationid", "registrationid",
        "device", "devicetoken", "pushtoken", "token", "userid", "externalid", "externaluserid", "customerid",
        "profileid", "contactid", "subscriberid", "recipientid", "nameduserid", "distinctid", "uid", "user", "customer",
        "recipient", "identity", "clientid", "objectid", "hwid", "luid", "mpid", "subscriber", "contact", "email",
        "phone", "subscriberkey", "contactkey",
    ]
    private static let deliveryWords = [
        "campaignid", "broadcastid", "newsletterid", "canvasstepid", "canvasid", "journeyid", "workflowid",
        "deliveryid", "campaign", "campaignname", "analyticslabel", "label", "templateid", "dispatchid", "sendid",
        "groupid", "campaignactivityid", "orchestrationid", "experimentid", "campaigncode", "template",
    ]
    static let idWords = messageWords + eventWords + personWords + deliveryWords

    mutating func takeIDs() {
        let ids = values.filter { $0.texts.values.areMostly(\.isID) && $0.name != draft.fields[.time].text }
        let people = people(among: ids)
        let deliveries = ranked(values, by: Self.deliveryWords, in: 5)
        let (candidates, unchanging) = messages(among: ids)
        var sendings: [Candidate] = []
        var personal: [Candidate] = []
        var single: Candidate?
        for candidate in candidates where single == nil {
            let delivery = deliveries.first { !candidate.paths.contains($0.path) }
            if let people, persons(people.values, with: candidate.values) > 1 {
                sendings.append(candidate)
            } else if isPersonal(candidate.values, delivery: delivery) {
                personal.append(candidate)
                doubts.insert(
                    Doubt(
                        .ids,
                        text:
                            "\(candidate.name) comes again hours apart with the same action, or for several deliveries, so it "
                            + "is rather a person's or a device's than the message's"))
            } else {
                single = candidate
            }
        }
        let person = people ?? personal.first
        let delivery = covering(deliveries.filter { !(single?.paths.contains($0.path) ?? false) })
        let possibleSendings = [sendings.first, delivery, covering(unchanging)].compactMap(\.self)
        if let single {
            draft.fields[.broadlogID] = single.place
            noteSingle(single, person: person)
        } else if let person, let sending = possibleSendings.first(where: { $0 != person }) {
            draft.fields.idParts = [sending.place, person.place]
            let count = persons(person.values, with: sending.values)
            let pair =
                sendings.isEmpty
                ? "no id of a message was found, so all that \(sending.name) sends to one \(person.name) is one message"
                : "one \(sending.name) stands for up to \(count) of \(person.name), so a message is both together"
            doubts.insert(Doubt(.ids, text: pair))
        } else if let event = ranked(ids, by: Self.eventWords, in: 90).first {
            draft.fields[.broadlogID] = ValuePlace(event.path)
            // A row with a time for each action is the message itself.
            if draft.times.isEmpty {
                let text =
                    "no id of a message was found; \(event.name) is that of an event, so opens and clicks are not joined"
                doubts.insert(Doubt(.ids, text: text))
            }
        } else {
            let reason = unreadColumns.isEmpty ? "" : ": \(unreadColumns)"
            lack = lack ?? "no id of a message is \(besideAction)\(reason)"
            return
        }
        takeDelivery(delivery)
        requireIDs()
        let chosen = draft.fields.idParts.isEmpty ? [draft.fields[.broadlogID]] : draft.fields.idParts
        let taken = Set((chosen + [draft.fields[.deliveryID]]).flatMap(\.paths))
        for other in candidates where taken.isDisjoint(with: other.paths) && !personal.contains(other) {
            guard other.values.areOfMost(actions.count) else { continue }
            noteOther("message", taken: chosen.map(\.text).joined(separator: " and "), other: other.name, rank: .ids)
        }
    }

    /// The values that tell persons or devices apart; nil if none does.
    private func people(among ids: [HitValues]) -> Candidate? {
        let named = ranked(ids.filter { $0.distinct > 1 }, by: Self.personWords, in: 20)
        // Few values mean a channel, such as push and e-mail, and no person.
        let most = named.map(\.distinct).max() ?? 0
        return covering(named.filter { $0.distinct * 4 >= most })
    }

    /// The values that can be the message's id, the likeliest first, and the values with such names that never change.
    /// Push tokens (too long), addresses, and ids of what was delivered last are left out.
    private mutating func messages(among ids: [HitValues]) -> (likely: [Candidate], unchanging: [HitValues]) {
        let short = ids.filter { id in
            id.texts.values.areMostly { $0.utf8.count <= 64 && !$0.contains("@") } && !id.name.contains("last")
        }
        // An id that joins several actions comes before an id of single events, whatever the names are.
        let byName = ranked(short, by: Self.messageWords, in: 5)
        let joining = byName.filter { $0.distinct * 10 >= actions.count && joinsActions($0) }
        let named = joining + byName.filter { place in !joining.contains { $0.path == place.path } }
        let events = ranked(short, by: Self.eventWords, in: 90).filter(joinsActions)
        let unchanging = named.filter(\.neverChanges)
        for id in unchanging {
            doubts.insert(Doubt(.ids, text: "\(id.name) is the same in all events, so it is no message's id"))
        }
        let changing = (named + events).filter { !$0.neverChanges }
        // Events of another kind may have the same id at another path.
        let likely = changing.compactMap { id in
            covering([id] + changing.filter { $0.word == id.word && $0.path != id.path })
        }
        return (likely, unchanging)
    }

    private mutating func takeDelivery(_ delivery: Candidate?) {
        let message = draft.fields.idParts.first ?? draft.fields[.broadlogID]
        guard let delivery else {
            draft.fields[.deliveryID] = message
            if draft.fields.idParts.isEmpty {
                doubts.insert(
                    Doubt(.ids, text: "no campaign stands in all events, so each message is a delivery of its own"))
            }
            return
        }
        let without = actions.count - delivery.values.texts.count
        let isEnough = without * 20 <= actions.count || delivery.place == message
        draft.fields[.deliveryID] =
            isEnough ? delivery.place : ValuePlace(firstOf: delivery.place.paths + message.paths)
        if !isEnough {
            let text =
                "\(without) of \(actions.count) events have no \(delivery.name), so \(message.text) is their delivery"
            doubts.insert(Doubt(.ids, text: text))
        }
    }

    /// Adds paths to `require` where more than 4 % of the events lack an id: some vendors name the message only in some
    /// events.
    private mutating func requireIDs() {
        let fields = draft.fields
        let parts = fields.idParts + [fields[.broadlogID], fields[.deliveryID]]
        for part in parts where part.paths.count == 1 && !draft.require.contains(part.paths[0]) {
            guard let value = values.first(where: { $0.path == part.paths[0] }) else { continue }
            let without = actions.count - value.texts.count
            guard without * 25 > actions.count else { continue }
            draft.require.append(value.path)
            let text = "\(without) of \(actions.count) events have no \(value.name), and are left out by 'require'"
            doubts.insert(Doubt(.lostLines, text: text))
        }
    }

    private mutating func noteSingle(_ id: Candidate, person: Candidate?) {
        if Set(actions.values).count > 1, !joinsActions(id.values) {
            let text =
                "no \(id.name) has two actions: if each row is a message in its last state, what came before does not "
                + "count; if it is the id of an event, nothing is joined"
            doubts.insert(Doubt(.ids, text: text))
        }
        let people = person.map { $0.values.distinct } ?? 0
        guard people < Self.many else { return }
        let found = person.map { "there are only \(people) of \($0.name)" } ?? "no device or user was found"
        let text = "\(found) beside \(id.name); where one goes to several, a message is a list of both"
        doubts.insert(Doubt(.ids, text: text))
    }

    // MARK: Names

    /// Takes the names of deliveries: values that differ between deliveries and hardly vary within one.
    mutating func takeNames() {
        guard draft.fields[.deliveryID] != draft.fields[.broadlogID],
            let delivery = covering(values.filter { draft.fields[.deliveryID].paths.contains($0.path) }),
            delivery.values.distinct * 2 <= actions.count
        else { return }
        let taken = draft.fields.idParts + [draft.fields[.deliveryID], draft.fields[.platform]]
        let names = values.filter { value in
            !taken.contains { $0.paths.contains(value.path) } && value.isName && value.isOne(for: delivery.values)
        }
        for (field, words) in Self.nameWords {
            let taken = FieldPaths.Field.allCases.flatMap { draft.fields[$0].paths }
            guard let name = covering(ranked(names.filter { !taken.contains($0.path) }, by: words, in: 5)) else {
                continue
            }
            draft.fields[field] = name.place
        }
    }

    private static let nameWords: [(FieldPaths.Field, [String])] = [
        (
            .label,
            [
                "label", "messagename", "pushname", "notificationname", "campaignname", "canvasstepname",
                "campaignlabel", "templatename", "analyticslabel", "messagetitle", "notificationtitle", "title", "name",
                "subject",
            ]
        ),
        (.campaign, ["campaign", "campaignname", "campaigntitle", "canvasname", "journeyname", "flowname"]),
        (.variant, ["variant", "variantname", "variation", "variationname", "messagevariationname", "treatment"]),
    ]

    // MARK: Comparing values

    /// A value that events have at one place, or at the first of several places.
    private struct Candidate: Equatable {
        let paths: [[String]]
        let values: HitValues
        var place: ValuePlace { ValuePlace(firstOf: paths) }
        var name: String { values.name }

        static func == (a: Candidate, b: Candidate) -> Bool { a.paths == b.paths }
    }

    /// The first place, joined by later places that fill its gaps: a later place counts if it has values for events
    /// that have none so far. Nil without a place.
    private func covering(_ ranked: [HitValues]) -> Candidate? {
        guard let first = ranked.first else { return nil }
        var paths = [first.path]
        var texts = first.texts
        for place in ranked.dropFirst() where texts.count * 100 < actions.count * 99 {
            let filled = place.texts.filter { texts[$0.key] == nil }
            guard filled.count * 100 >= actions.count else { continue }
            paths.append(place.path)
            texts.merge(filled) { a, _ in a }
        }
        return Candidate(paths: paths, values: HitValues(name: first.name, texts: texts))
    }

    /// The places whose name is one of `words` or ends with one, and that have a value in at least `share` per cent of
    /// the events.
    private func ranked(_ places: [HitValues], by words: [String], in share: Int) -> [HitValues] {
        places.ranked { place in
            place.texts.count * 100 >= actions.count * share ? place.position(in: words).map { [$0] } : nil
        }
    }

    /// Whether more than 2 % of the values occur with several actions. The id of a single event occurs with one action,
    /// apart from rare mistakes.
    private func joinsActions(_ id: HitValues) -> Bool {
        let groups = id.groups
        return groups.count { hits in Set(hits.map { actions[$0] }).count > 1 } * 50 > groups.count
    }

    /// The most persons that have one value of an id with one action; 1 if hardly any value has several, since a person
    /// may have two devices.
    private func persons(_ person: HitValues, with id: HitValues) -> Int {
        let found = Dictionary(grouping: id.texts.keys) { [id.texts[$0], actions[$0]] }
            .values.map { Set($0.compactMap { person.texts[$0] }).count }
        let most = found.max() ?? 1
        return most >= 5 || found.count { $0 > 1 } * 10 > found.count ? most : 1
    }

    /// Whether an id more likely belongs to a person or a device: some values come again more than an hour later with
    /// the same action, or stand for several deliveries.
    private func isPersonal(_ id: HitValues, delivery: HitValues?) -> Bool {
        let groups = id.groups
        let isAgain = groups.count { hits in
            Dictionary(grouping: hits) { actions[$0] }.values.contains { hits in
                let times = hits.compactMap { instants[$0] }
                return (times.max() ?? 0) - (times.min() ?? 0) > 3_600_000
            }
        }
        let hasSeveral = groups.count { hits in Set(hits.compactMap { delivery?.texts[$0] }).count > 1 }
        return isAgain > 1 && isAgain * 10 > groups.count || hasSeveral > 1 && hasSeveral * 20 > groups.count
    }
}

extension HitValues {
    /// The number of different values.
    var distinct: Int { Set(texts.values).count }

    /// Whether many events have one value.
    fileprivate var neverChanges: Bool { texts.count >= EventGuess.many && distinct == 1 }

    /// The indexes of the events, grouped by value.
    fileprivate var groups: [[Int]] { Array(Dictionary(grouping: texts.keys) { texts[$0] }.values) }

    /// Whether its name says that it is an id, and not a time.
    var isNamedAsID: Bool {
        let isTime = ["time", "date", "stamp"].contains { word.contains($0) }
        return !isTime && position(in: EventGuess.idWords) != nil
    }

    /// Whether the texts can be names that people read.
    fileprivate var isName: Bool {
        texts.values.areMostly { $0.contains(where: \.isLetter) && $0.utf8.count <= 200 && !$0.contains("@") }
    }

    /// Whether hardly any value of `other` occurs with several of these values.
    fileprivate func isOne(for other: HitValues) -> Bool {
        let groups = other.groups.map { hits in Set(hits.compactMap { texts[$0] }).count }
        return groups.count { $0 > 1 } * 20 <= groups.count
    }
}

extension String {
    fileprivate var isID: Bool { (1...256).contains(utf8.count) && utf8.allSatisfy { $0 > 0x20 } }
}
