/// What /users/track bodies look like now and then.
extension UsersTrackFile {
    /// Events: each an element of its own within a sound body.
    enum OddEvent: CaseIterable {
        // These count.
        case integerID, opaqueID, noLetter, upperID, integerDelivery, platformNumber, kindle, noPlatform, platformNull
        case trackingOn, trackingNull, duplicateName, escapedName, clock1970, clock2040, hugeTime, aliasUser
        case numberProperties, deepEnough, exponentTime, dateOnly, farOffset
        // These are filtered.
        case otherName, numberName, trackingOff
        // These are rejected.
        case noName, nullName, listName, text, number, null, list, trackingYes, trackingNumber, noProperties
        case propertiesText, noID, nullDelivery, blankID, zeroID, zeroTextID, decimalID, trueID, listDelivery, longID
        case controlInDelivery, noTime, badTime, timeWithoutSeconds, paddedTime
    }

    /// Bodies that are one record.
    enum OddBody: CaseIterable {
        case profileExport, emptyObject, eventsObject, currents, cut, trailingComma, doubledBraces, badEscape
        case badNumber, bareWord, tooDeep
    }

    mutating func oddEvent(at time: Int) -> TrackEvent {
        let kinds = OddEvent.allCases
        // The step has no divisor in common with the number of kinds, so that all of them come in turn.
        let kind = kinds[log.oddity * 37 % kinds.count]
        log.oddity += 1
        var event = TrackEvent(message: nextMessage(), code: [7, 2, 1][log.oddity % 3], time: time, user: user())
        spell(kind, in: &event)
        spoil(kind, in: &event)
        return event
    }

    /// Odd spellings of events that count.
    private func spell(_ kind: OddEvent, in event: inout TrackEvent) {
        switch kind {
        case .integerID:
            guard case .hex(let value) = event.message.id else { return }
            event.id = "\(value)"
        case .opaqueID:
            event.id = "\"campaña-\(event.message.idText)\""
            event.truth.key = "ocampaña-\(event.message.idText)"
        case .noLetter: event.id = "\"\(event.message.idText)\""
        case .upperID: event.id = "\"\(event.message.idText.uppercased())\""
        case .integerDelivery:
            event.deliveryID = "-12"
            event.truth.delivery = "-12"
        case .platformNumber: event.platform = "3"
        case .kindle: event.platform = "\"kindle\""
        case .noPlatform: event.platform = nil
        case .platformNull: event.platform = "null"
        case .trackingOn: event.tracking = "\"On\""
        case .trackingNull: event.tracking = "null"
        case .duplicateName:
            event.more = "\"name\":\"session_start\",\"name\":\"push_\(Message.action(event.code))\""
        case .escapedName: event.name = "\"push\\u005f\(Message.action(event.code))\""
        case .clock1970: event.clock(0, json: "\"1970-01-01T00:00:00Z\"")
        case .clock2040: event.clock(2_208_988_800_000, json: "2208988800000")
        case .hugeTime: event.clock(Int.max, json: "123456789012345678901234567890")
        case .aliasUser: event.more = "\"user_alias\":{\"alias_name\":\"a\",\"alias_label\":\"b\"},\"app_id\":null"
        case .numberProperties: event.more = "\"score\":-0.5e-3,\"n\":0,\"list\":[true,false,null,\"\\ud83d\\ude00\"]"
        case .deepEnough:
            // The body, its list and the event are three deep already.
            event.more = "\"x\":" + String(repeating: "[", count: 61) + String(repeating: "]", count: 61)
        case .exponentTime: event.tell(.exponent)
        case .dateOnly: event.tell(.dateAlone)
        case .farOffset: event.tell(.west)
        default: break
        }
    }

    /// What is filtered or rejected for its values.
    private func spoil(_ kind: OddEvent, in event: inout TrackEvent) {
        switch kind {
        case .otherName: (event.name, event.truth.verdict) = ("\"Push_Open\"", .unmappedAction)
        case .numberName: (event.name, event.truth.verdict) = ("7", .unmappedAction)
        case .trackingOff: (event.tracking, event.truth.verdict) = ("\"\\tOFF\"", .trackingOff)
        case .noName: (event.name, event.truth.verdict) = (nil, .missingAction)
        case .nullName: (event.name, event.truth.verdict) = ("null", .missingAction)
        case .listName: (event.name, event.truth.verdict) = ("[\"push_open\"]", .missingAction)
        case .text: (event.whole, event.truth.verdict) = ("\"push_open\"", .missingAction)
        case .number: (event.whole, event.truth.verdict) = ("42", .missingAction)
        case .null: (event.whole, event.truth.verdict) = ("null", .missingAction)
        case .list: (event.whole, event.truth.verdict) = ("[{\"name\":\"push_open\"}]", .missingAction)
        case .trackingYes: (event.tracking, event.truth.verdict) = ("\"yes\"", .badTracking)
        case .trackingNumber: (event.tracking, event.truth.verdict) = ("1", .badTracking)
        case .noProperties:
            event.whole = "{\"name\":\"push_open\",\"time\":\"2026-11-19T10:00:00Z\",\"external_id\":\"user-1\"}"
            event.truth.verdict = .missingID
        case .propertiesText:
            event.whole = "{\"name\":\"push_open\",\"properties\":\"{\\\"broadlogId\\\":\\\"h1\\\"}\"}"
            event.truth.verdict = .missingID
        case .noID: (event.id, event.truth.verdict) = (nil, .missingID)
        case .nullDelivery: (event.deliveryID, event.truth.verdict) = ("null", .missingID)
        case .blankID: (event.id, event.truth.verdict) = ("\" \\n\"", .missingID)
        case .zeroID: (event.id, event.truth.verdict) = ("0", .malformedID)
        case .zeroTextID: (event.id, event.truth.verdict) = ("\"0000\"", .malformedID)
        case .decimalID: (event.id, event.truth.verdict) = ("1.5", .malformedID)
        case .trueID: (event.id, event.truth.verdict) = ("true", .malformedID)
        case .listDelivery: (event.deliveryID, event.truth.verdict) = ("[\"d57fd6\"]", .malformedID)
        case .longID: (event.id, event.truth.verdict) = ("\"\(String(repeating: "é", count: 65))\"", .malformedID)
        case .controlInDelivery: (event.deliveryID, event.truth.verdict) = ("\"a\\u0000b\"", .malformedID)
        case .noTime: (event.time, event.truth.payload) = (nil, nil)
        case .badTime: (event.time, event.truth.payload) = ("\"yesterday\"", nil)
        case .timeWithoutSeconds: (event.time, event.truth.payload) = ("\"2026-11-19T10:22Z\"", nil)
        case .paddedTime: (event.time, event.truth.payload) = ("\" 2026-11-19T10:22:33Z\"", nil)
        default: break
        }
    }

    mutating func writeOddBody(at time: Int) throws {
        if !log.isBare, log.random.perMille(600) {
            let kinds = WebPart.Oddity.allCases
            let web = WebPart(kinds[log.oddity % kinds.count], path: log.request.path)
            log.oddity += 1
            let key = nextMessage()
            let event = TrackEvent(message: nextMessage(), code: 7, time: time, user: user())
            try write(event, key: key, receipt: time, web: web)
            return
        }
        let kinds = OddBody.allCases
        let kind = kinds[log.oddity * 7 % kinds.count]
        log.oddity += 1
        let (text, verdict) = oddBody(kind)
        try writeWhole(text, verdict, receipt: time)
    }

    private func oddBody(_ kind: OddBody) -> (String, Meaning) {
        switch kind {
        case .profileExport:
            (
                "{\"braze_id\":\"5fbd99bac125ca40511f2cb1\",\"custom_events\":[{\"name\":\"push_open\",\"count\":3}]}",
                .notUsersTrack
            )
        case .emptyObject: ("{}", .notUsersTrack)
        case .eventsObject: ("{\"attributes\":[],\"events\":{\"name\":\"push_open\"}}", .notUsersTrack)
        case .currents:
            (
                "{\"event_type\":\"users.messages.pushnotification.Open\",\"id\":\"1\",\"time\":1763596800}",
                .notUsersTrack
            )
        case .cut: ("{\"events\":[{\"external_id\":\"user-1\",\"name\":\"push_open\",\"time\":\"2026-11-", .badJSON)
        case .trailingComma: ("{\"events\":[{\"name\":\"push_open\"},]}", .badJSON)
        case .doubledBraces: ("{{\"events\":[]}}", .badJSON)
        case .badEscape: ("{\"events\":[{\"name\":\"push\\_open\"}]}", .badJSON)
        case .badNumber: ("{\"events\":[{\"time\":.5}]}", .badJSON)
        case .bareWord: ("{\"events\":undefined}", .badJSON)
        case .tooDeep:
            (
                "{\"events\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
                .badJSON
            )
        }
    }
}

extension TrackEvent {
    fileprivate mutating func clock(_ milliseconds: Int, json: String) {
        truth.payload = milliseconds
        time = .text(json)
    }
}
