/// What collectors see now and then: each a line of its own, all of them in turn.
extension CollectorFile {
    enum Oddity: CaseIterable {
        // These count.
        case doubleSlash, noSlash, absoluteURL, post, emptyPostback, percentComma, lowerPercentComma, mcIDFirst
        case lowerMcID, moreParameters, secondID, otherLetter, hexLetter, upperLetter, upperID, zeroPadded
        case signExtended, spaces, noContent, redirect, dashStatus, userWithSpaces, commonLayout, longer, utc, west
        case zoneless, quoteInAgent, apacheAgent, upperDelivery, textDelivery, utf8Delivery, brokenUTF8, brokenEscape
        case plusInDelivery, noVersion, leapSecond, ipv6, crlf, emptyLine, dashSize, noAgent, deliveryOf128Bytes
        // These are filtered.
        case head, lowerMethod, upperPath, longerPath, upperParameter, noQuery, dashRequest, emptyRequest
        case binaryRequest, shortLink, paddedAction, disabled, forbidden, switching, textStatus, linkDisabled
        // These are rejected.
        case garbage, cut, statusless, openQuote, emptyIDParameter, bareIDParameter, twoParts, fourParts, noHex, zeroID
        case noLetter, letterOnly, tooManyDigits, cutUUID, controlInDelivery, longDelivery, wordAction, templates
        case noAction, blankDelivery, zeroAction, action6, action8, action9, badMonth, badDay, badHour, noTime
        case twiceWrong, unknownAndFailed
    }

    mutating func writeOddity(at time: Int) throws {
        let kinds = Oddity.allCases
        // The step has no divisor in common with the number of kinds, so that all of them come in turn.
        let kind = kinds[oddity * 37 % kinds.count]
        oddity += 1
        let message = message(at: Int32(output.records))
        let agent = universe.agents.agents[message.agent]
        var draft = Draft(message: message, code: Int(message.chain & 15), time: time, agent: agent)
        draft.hit()
        guard spell(kind, in: &draft) || refuse(kind, in: &draft) else {
            try writeNextHit(of: message, at: time)
            return
        }
        try write(draft)
    }

    /// Where the layout has no such oddity.
    private mutating func writeNextHit(of message: Message, at time: Int) throws {
        try writeHit(message, code: Int(message.chain & 15), at: time)
    }

    /// Odd spellings of hits that count; false for the other kinds and where the layout has nothing like it.
    private mutating func spell(_ kind: Oddity, in draft: inout Draft) -> Bool {
        let combined = plan.layout == .combined
        switch kind {
        case .doubleSlash: draft.hit(path: "//r/")
        case .noSlash: draft.hit(path: "/r")
        case .absoluteURL: draft.hit(path: "https://track.example.com:443/r//")
        case .post: draft.hit(method: "POST")
        case .emptyPostback:
            draft.hit(method: "POST")
            draft.line.body = Array("{ }".utf8)
        case .percentComma: draft.hit(comma: "%2C")
        case .lowerPercentComma: draft.hit(comma: "%2c")
        case .mcIDFirst, .lowerMcID:
            draft.hasMcID = true
            let name = kind == .lowerMcID ? "mcid" : "mcId"
            draft.ask(
                "GET", "/r/?\(name)=\(draft.mcIDDigits)&id=\(draft.id),\(draft.delivery),\(draft.code)", nil)
        case .moreParameters:
            draft.ask("GET", "/r/?p1=Eva&e=cDE9&id=\(draft.id),\(draft.delivery),\(draft.code)\(draft.mcID)&s=a1", nil)
        case .secondID:
            draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),\(draft.code)\(draft.mcID)&id=h1,2,3", nil)
        case .otherLetter: draft.hit(id: "i" + draft.message.idText)
        case .hexLetter: draft.hit(id: "d" + draft.message.idText)
        case .upperLetter: draft.hit(id: "H" + draft.message.idText)
        case .upperID: draft.hit(id: "h" + draft.message.idText.uppercased())
        case .zeroPadded:
            guard case .hex(let value) = draft.message.id else { return false }
            draft.hit(id: "h" + hexText(value, 12))
        case .signExtended:
            guard case .hex(let value) = draft.message.id else { return false }
            let negative = value & 0x7FFF_FFFF | 0x8000_0000
            draft.key = "x" + String(negative, radix: 16)
            draft.hit(id: "hffffffff" + String(negative, radix: 16))
        case .spaces: draft.hit(id: "%20" + draft.id, delivery: draft.delivery + "%09", third: "%20\(draft.code)")
        case .noContent: draft.line.status = "204"
        case .redirect: draft.line.status = "302"
        case .dashStatus: draft.line.status = "-"
        case .userWithSpaces: draft.line.user = "monitoring agent"
        case .commonLayout:
            guard combined else { return false }
            draft.line.shape = .common
            draft.platform = .unknown
        case .longer: draft.line.shape = plan.layout.isJSON ? .full : .longer
        case .utc: draft.line.timeSpelling = .utc
        case .west: draft.line.timeSpelling = .west
        case .zoneless:
            guard !plan.zone.turns(near: draft.line.time / 1000) else { return false }
            draft.line.timeSpelling = .zoneless
        case .quoteInAgent: draft.line.agent += Array(" \"beta\" \\ 2".utf8)
        case .apacheAgent:
            draft.line.agent += Array(" \"beta\" \\ 2".utf8)
            if combined { draft.line.shape = .apache }
        case .upperDelivery: draft.hit(delivery: draft.delivery.uppercased())
        case .textDelivery:
            draft.hit(delivery: "Otono_2026-B")
            draft.delivery = "otono_2026-b"
        case .utf8Delivery:
            draft.hit(delivery: "oto%C3%B1o")
            draft.delivery = "otoño"
        case .brokenUTF8:
            draft.hit(delivery: "oto%F1o")
            draft.delivery = "oto\u{FFFD}o"
        case .brokenEscape:
            draft.hit(delivery: "50%ZZ")
            draft.delivery = "50%zz"
        case .plusInDelivery:
            draft.hit(delivery: "a+b")
            draft.delivery = "a+b"
        case .noVersion: draft.hit(version: "")
        case .leapSecond:
            draft.line.time = floorDivide(draft.line.time, 60_000) * 60_000
            draft.line.timeSpelling = .leapSecond
        case .ipv6: draft.line.address = "2001:db8::\(String(draft.message.address & 0xFFFF, radix: 16))"
        case .crlf: draft.line.ending = "\r\n"
        case .emptyLine: draft.line.ending = "\n\n"
        case .dashSize: draft.line.size = "-"
        case .noAgent:
            draft.line.agent = Array("-".utf8)
            draft.platform = .unknown
        case .deliveryOf128Bytes:
            draft.delivery = String(repeating: "d", count: 128)
            draft.hit(delivery: draft.delivery)
        default: return false
        }
        return true
    }

    /// What is filtered or rejected; false where the layout has nothing like it.
    private mutating func refuse(_ kind: Oddity, in draft: inout Draft) -> Bool {
        let combined = plan.layout == .combined
        let rest = "\(draft.delivery),\(draft.code)\(draft.mcID)"
        let target = "/r/?id=\(draft.id),\(rest)"
        switch kind {
        case .head: draft.ask("HEAD", target, .notTracking)
        case .lowerMethod: draft.ask("get", target, .notTracking)
        case .upperPath: draft.ask("GET", "/R/?id=\(draft.id),\(rest)", .notTracking)
        case .longerPath: draft.ask("GET", "/r/x?id=\(draft.id),\(rest)", .notTracking)
        case .upperParameter: draft.ask("GET", "/r/?ID=\(draft.id),\(rest)", .notTracking)
        case .noQuery: draft.ask("GET", "/r/", .notTracking)
        case .dashRequest: draft.request(Array("-".utf8), status: "408", .notTracking)
        case .emptyRequest: draft.request([], status: "400", .notTracking)
        case .binaryRequest:
            draft.request([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xFC, 0x22, 0x5C], status: "400", .notTracking)
        case .shortLink: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),A", .link)
        case .paddedAction: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),07", .link)
        case .disabled: draft.line.status = "404"
        case .forbidden: draft.line.status = "403"
        case .switching: draft.line.status = "101"
        case .textStatus:
            draft.line.status = "OK"
            draft.verdict = .malformedLine
        case .linkDisabled:
            draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),d57ff5", .link)
            draft.line.status = "404"
        case .garbage:
            draft.line.shape = .raw("Nov 19 10:22:33 host1 rsyslogd: action 'action-3' resumed")
            draft.verdict = .malformedLine
        case .cut:
            draft.line.shape = .cut
            draft.verdict = .malformedLine
        case .statusless:
            guard combined else { return false }
            draft.line.shape = .statusless
            draft.verdict = .malformedLine
        case .openQuote:
            draft.line.shape = .open
            draft.verdict = .malformedLine
        case .emptyIDParameter: draft.ask("GET", "/r/?id=", .malformedID)
        case .bareIDParameter: draft.ask("GET", "/r/?id\(draft.mcID)", .malformedID)
        case .twoParts: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery)", .malformedID)
        case .fourParts: draft.ask("GET", "/r/?id=\(draft.id),0,\(rest)", .malformedID)
        case .noHex: draft.ask("GET", "/r/?id=hSOC1,\(rest)", .malformedID)
        case .zeroID: draft.ask("GET", "/r/?id=h0,\(rest)", .malformedID)
        case .noLetter: draft.ask("GET", "/r/?id=153d80,\(rest)", .malformedID)
        case .letterOnly: draft.ask("GET", "/r/?id=h,\(rest)", .malformedID)
        case .tooManyDigits: draft.ask("GET", "/r/?id=h0123456789abcdef0,\(rest)", .malformedID)
        case .cutUUID: draft.ask("GET", "/r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846,\(rest)", .malformedID)
        case .controlInDelivery: draft.ask("GET", "/r/?id=\(draft.id),a%01b,\(draft.code)", .malformedID)
        case .longDelivery:
            let delivery = String(repeating: "d", count: 129)
            draft.ask("GET", "/r/?id=\(draft.id),\(delivery),\(draft.code)", .malformedID)
        case .wordAction: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),open", .malformedID)
        case .templates: draft.ask("GET", "/r/?id=,,&mcId=", .emptyID)
        case .noAction: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),\(draft.mcID)", .emptyID)
        case .blankDelivery: draft.ask("GET", "/r/?id=\(draft.id),%20,\(draft.code)", .emptyID)
        case .zeroAction: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),0", .unknownAction)
        case .action6: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),6", .unknownAction)
        case .action8: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),8", .unknownAction)
        case .action9: draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),9", .unknownAction)
        case .badMonth: draft.time(combined ? "19/Nev/2026:10:22:33 +0100" : "2026-13-19T10:22:33+01:00")
        case .badDay: draft.time(combined ? "31/Nov/2026:10:22:33 +0100" : "2026-11-31T10:22:33+01:00")
        case .badHour: draft.time(combined ? "19/Nov/2026:24:22:33 +0100" : "2026-11-19T24:22:33+01:00")
        case .noTime: draft.time("-")
        case .twiceWrong:
            draft.ask("GET", "/r/?id=hSOC1,\(rest)", .malformedID)
            draft.line.status = "404"
        case .unknownAndFailed:
            draft.ask("GET", "/r/?id=\(draft.id),\(draft.delivery),6", .unknownAction)
            draft.line.status = "500"
        default: return false
        }
        return true
    }
}

extension Draft {
    fileprivate mutating func request(_ bytes: [UInt8], status: String, _ verdict: Meaning) {
        line.request = bytes
        line.status = status
        line.agent = Array("-".utf8)
        self.verdict = verdict
    }

    fileprivate mutating func time(_ text: String) {
        line.timeSpelling = .text(text)
        timeIsBad = true
    }
}
