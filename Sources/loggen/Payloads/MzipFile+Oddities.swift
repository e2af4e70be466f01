/// What arrival reports look like now and then: each a record of its own, all of them in turn.
extension MzipFile {
    enum Oddity: CaseIterable {
        // These count.
        case bare, moreFields, secondField, everyByteEscaped, integerID, upperID, noLetter, padded, opaqueID
        case opaqueLikeHex, upperUUID, integerDelivery, blanks, typeText, trackingOn, trackingNull, trackingUpper
        case timeText, timeISO, timeDecimal, timeSeconds, duplicateKey, clock2001, clock2030, deepEnough
        case escapedID, negativeClock, hugeClock, crlf, emptyLine
        // These are filtered.
        case otherType, trackingOff
        // These are rejected.
        case encrypted, emptyValue, array, noField, brokenEscape, cutEscape, cutJSON, trailingComma, singleQuotes
        case notANumber, leadingZero, invalidUTF8, tooDeep, rawControl, textAfter, noType, nullType, trueType
        case decimalType, contentArray, trackingYes, trackingTrue, trackingEmpty, noData, dataArray, nullID, blankID
        case emptyDelivery, zeroID, zeroTextID, negativeID, decimalID, trueID, tooLargeID, controlInID, longID
        case decimalDelivery, objectDelivery, longDelivery, noTime, nullTime, badTime, trueTime
    }

    mutating func writeOddity(at time: Int) throws {
        var arrival = Arrival(message: nextMessage(), time: time)
        if !log.isBare, log.random.perMille(400) {
            let kinds = WebPart.Oddity.allCases
            arrival.web = WebPart(kinds[log.oddity % kinds.count], path: log.request.path)
            log.oddity += 1
            try write(arrival, receipt: time)
            return
        }
        let kinds = Oddity.allCases
        // The step has no divisor in common with the number of kinds, so that all of them come in turn.
        let kind = kinds[log.oddity * 37 % kinds.count]
        log.oddity += 1
        if let body = body(kind, of: &arrival) {
            try write(body: body, of: arrival, receipt: time)
            return
        }
        spell(kind, in: &arrival)
        spoil(kind, in: &arrival)
        try write(arrival, receipt: time)
    }

    /// Bodies that are no encoded document, or a broken one; nil for the other kinds.
    private func body(_ kind: Oddity, of arrival: inout Arrival) -> String? {
        let open = "mzip=%7B%22log_content%22%3A%7B%22type%22%3A1"
        let (body, verdict): (String, Meaning) =
            switch kind {
            case .encrypted: ("mzip=q83vEjRWeJCrze8SNFZ4kA%3D%3D&msc=Zm9v", .notJSON)
            case .emptyValue: ("mzip=", .notJSON)
            case .array: ("mzip=%5B%7B%7D%5D", .notJSON)
            case .noField: ("log_content=%7B%7D&token=none", .malformedLine)
            case .brokenEscape: ("mzip=%7B%22a%22%GG1%7D", .malformedLine)
            case .cutEscape: (open + "%7", .malformedLine)
            case .cutJSON: (open, .badJSON)
            case .trailingComma: (open + "%2C%7D%7D", .badJSON)
            case .singleQuotes: ("mzip=%7B%27log_content%27%3A%7B%7D%7D", .badJSON)
            case .notANumber: (open + "%2C%22time%22%3ANaN%7D%7D", .badJSON)
            case .leadingZero: (open + "%2C%22time%22%3A01763596800%7D%7D", .badJSON)
            case .invalidUTF8: (open + "%2C%22title%22%3A%22oto%F1o%22%7D%7D", .badJSON)
            case .tooDeep:
                (
                    "mzip=%7B%22a%22%3A" + String(repeating: "%5B", count: 64) + String(repeating: "%5D", count: 64)
                        + "%7D", .badJSON
                )
            case .rawControl: (open + "%2C%22title%22%3A%22a%0Ab%22%7D%7D", .badJSON)
            case .textAfter: (open + "%7D%7D%7B%7D", .badJSON)
            default: ("", .accepted)
            }
        guard verdict != .accepted else { return nil }
        arrival.truth.verdict = verdict
        return body
    }

    /// Odd spellings of reports that count.
    private func spell(_ kind: Oddity, in arrival: inout Arrival) {
        switch kind {
        case .bare: arrival.before = ""
        case .moreFields:
            arrival.before = "app_id=a1b2&v=2&mzip="
            arrival.after = "&msc="
        case .secondField: arrival.after = "&mzip=%7B%7D"
        case .everyByteEscaped: arrival.isAllEscaped = true
        case .integerID:
            guard case .hex(let value) = arrival.message.id else { return }
            arrival.id = "\(value)"
        case .upperID: arrival.id = "\"H\(arrival.message.idText.uppercased())\""
        case .noLetter: arrival.id = "\"\(arrival.message.idText)\""
        case .padded:
            guard case .hex(let value) = arrival.message.id else { return }
            arrival.id = "\"h\(hexText(value, 14))\""
        case .opaqueID:
            arrival.id = "\"T-\(arrival.message.idText)-Ab\""
            arrival.truth.key = "oT-\(arrival.message.idText)-Ab"
        case .opaqueLikeHex:
            arrival.id = "\"hSOC\(arrival.message.idText)\""
            arrival.truth.key = "ohSOC\(arrival.message.idText)"
        case .upperUUID:
            arrival.id = "\"6B6499A8-9D43-4BC5-ACF0-B6AEB96846F6\""
            arrival.truth.key = "u6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"
        case .integerDelivery:
            arrival.deliveryID = "1685"
            arrival.truth.delivery = "1685"
        case .blanks:
            arrival.id = "\" \\th\(arrival.message.idText)\\n\""
            arrival.deliveryID = "\"  \(arrival.message.deliveryText.uppercased()) \""
        case .typeText: arrival.type = "\"1\""
        case .trackingOn: arrival.tracking = "\"on\""
        case .trackingNull: arrival.tracking = "null"
        case .trackingUpper: arrival.tracking = "\" ON \""
        case .timeText: arrival.tell(.millisecondText)
        case .timeISO: arrival.tell(.brazePattern)
        case .timeDecimal: arrival.tell(.decimal)
        case .timeSeconds: arrival.tell(.seconds)
        case .duplicateKey:
            let (id, delivery) = (arrival.message.idText, arrival.message.deliveryText)
            let rest = "\"_dId\":\"\(delivery)\",\"_mId\":\"hdead\",\"_mId\":\"h\(id)\""
            arrival.data = "{\"_mId\":{\"_mId\":1},\(rest)}"
        case .clock2001: arrival.clock(1_000_000_000_000)
        case .clock2030: arrival.clock(1_893_456_000_000)
        case .negativeClock: arrival.clock(-1, json: "-0.001")
        case .hugeClock: arrival.clock(Int.max, json: "1e400")
        case .deepEnough:
            arrival.more =
                "\"x\":" + String(repeating: "[", count: 61) + String(repeating: "]", count: 61)
        case .escapedID: arrival.id = "\"\\u0068\(arrival.message.idText)\""
        case .crlf: arrival.web.ending = "\r\n"
        case .emptyLine: arrival.web.ending = "\n\n"
        default: break
        }
    }

    /// What is filtered or rejected for its values.
    private func spoil(_ kind: Oddity, in arrival: inout Arrival) {
        switch kind {
        case .otherType: (arrival.type, arrival.truth.verdict) = ("\"click\"", .unmappedAction)
        case .trackingOff: (arrival.tracking, arrival.truth.verdict) = ("\" Off\"", .trackingOff)
        case .noType: (arrival.type, arrival.truth.verdict) = (nil, .missingAction)
        case .nullType: (arrival.type, arrival.truth.verdict) = ("null", .missingAction)
        case .trueType: (arrival.type, arrival.truth.verdict) = ("true", .missingAction)
        case .decimalType: (arrival.type, arrival.truth.verdict) = ("1.0", .missingAction)
        case .contentArray: (arrival.type, arrival.truth.verdict) = ("[1]", .missingAction)
        case .trackingYes: (arrival.tracking, arrival.truth.verdict) = ("\"yes\"", .badTracking)
        case .trackingTrue: (arrival.tracking, arrival.truth.verdict) = ("true", .badTracking)
        case .trackingEmpty: (arrival.tracking, arrival.truth.verdict) = ("\"\"", .badTracking)
        case .noData: (arrival.data, arrival.truth.verdict) = ("", .missingID)
        case .dataArray: (arrival.data, arrival.truth.verdict) = ("[{\"_mId\":\"h1\"}]", .missingID)
        case .nullID: (arrival.id, arrival.truth.verdict) = ("null", .missingID)
        case .blankID: (arrival.id, arrival.truth.verdict) = ("\"  \"", .missingID)
        case .emptyDelivery: (arrival.deliveryID, arrival.truth.verdict) = ("\"\"", .missingID)
        case .zeroID: (arrival.id, arrival.truth.verdict) = ("0", .malformedID)
        case .zeroTextID: (arrival.id, arrival.truth.verdict) = ("\"h00\"", .malformedID)
        case .negativeID: (arrival.id, arrival.truth.verdict) = ("-45329796", .malformedID)
        case .decimalID: (arrival.id, arrival.truth.verdict) = ("12345.0", .malformedID)
        case .trueID: (arrival.id, arrival.truth.verdict) = ("true", .malformedID)
        case .tooLargeID: (arrival.id, arrival.truth.verdict) = ("18446744073709551616", .malformedID)
        case .controlInID: (arrival.id, arrival.truth.verdict) = ("\"a\\u0001b\"", .malformedID)
        case .longID: (arrival.id, arrival.truth.verdict) = ("\"\(String(repeating: "z", count: 129))\"", .malformedID)
        case .decimalDelivery: (arrival.deliveryID, arrival.truth.verdict) = ("1e3", .malformedID)
        case .objectDelivery: (arrival.deliveryID, arrival.truth.verdict) = ("{}", .malformedID)
        case .longDelivery:
            (arrival.deliveryID, arrival.truth.verdict) = ("\"\(String(repeating: "d", count: 129))\"", .malformedID)
        case .noTime: (arrival.time, arrival.truth.payload) = (nil, nil)
        case .nullTime: (arrival.time, arrival.truth.payload) = ("null", nil)
        case .badTime: (arrival.time, arrival.truth.payload) = ("\"2026-11-31T10:00:00Z\"", nil)
        case .trueTime: (arrival.time, arrival.truth.payload) = ("true", nil)
        default: break
        }
    }
}

extension Arrival {
    /// Spells its time otherwise; what that cannot say is cut off.
    fileprivate mutating func tell(_ spelling: TimeText) {
        guard let payload = truth.payload else { return }
        let (json, said) = spelling.spell(payload)
        clock(said, json: json)
    }

    fileprivate mutating func clock(_ milliseconds: Int, json: String? = nil) {
        truth.payload = milliseconds
        time = .text(json ?? String(milliseconds))
    }
}
