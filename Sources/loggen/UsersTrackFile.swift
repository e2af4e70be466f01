import Reference

/// Writes one file of /users/track bodies, or the requests that carried them.
struct UsersTrackFile: ~Copyable {
    private var log: LogFile
    private var body = TrackBody(order: 0)

    init(_ log: consuming LogFile) {
        self.log = log
    }

    consuming func write() throws -> LogFile.Summary {
        while log.rest > 0 {
            log.ahead = 0
            if log.random.perMille(log.noise == .all ? 60 : 0) {
                try log.writeOdd(log.message(at: log.ownIndex()), at: log.nextTime())
                continue
            }
            body = TrackBody(order: message(of: nextEntry()).notification)
            let elements = min(log.rest, 1 + log.random.draw(8))
            log.ahead = elements - 1
            let time = log.nextTime()
            for _ in 0..<elements { addElement(at: time) }
            try writeBody(receipt: time)
            // The sender has no answer and sends the body once more.
            if log.random.perMille(15), log.rest >= body.count { try writeBody(receipt: time + 2000) }
        }
        return try log.finish()
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private mutating func addElement(at time: Int) {
        let isNoisy = log.noise != .none
        switch log.random.draw(1000) {
        case 0..<50 where isNoisy:
            let product = log.random.one(of: ["SKU-1041", "SKU-2210", "SKU-0007"])
            body.addPurchase(of: product, user: user(), at: time)
        case 50..<120 where isNoisy: body.addAttributes(ofUser: user(), areVisits: log.random.draw(2) == 1)
        case 120..<190 where isNoisy:
            let (message, user) = (message(of: nextEntry()), user())
            let name = log.random.one(of: ["session_start", "product_viewed", "push_notification_opened"])
            body.addEvent(name, of: message, user: user, at: time)
        case 190..<200 where isNoisy:
            let message = message(of: nextEntry())
            body.addEvent(
                "push_impression", of: message, user: user(), at: time, more: #""_acsDeliveryTracking":"off""#)
        case 280..<(280 + log.late):
            let (message, seen) = log.lateMessage(daysBefore: 1 + log.random.draw(4))
            let time = message.chain > 15 ? min(seen + message.delay * 1000, log.start) : seen
            addUsual(message, code: message.lastCode, at: time)
        default: addNextEvent(at: time)
        }
    }

    /// What is due of a push under way, or the first event of another.
    private mutating func addNextEvent(at time: Int) {
        if let (entry, due) = log.agenda.next(by: time) {
            addStep(entry, at: due)
            return
        }
        // The sender gathers events for a while before it sends them.
        let sent = log.earlier(time, by: 120_000)
        var entry = nextEntry()
        let message = message(of: entry)
        log.countRecipient(of: message)
        entry.rest = message.chain & 0xFFF
        addStep(entry, at: sent, delay: message.firstCode == 7 ? message.delay * 1000 : nil)
    }

    /// Adds the next event of a push; the ones after it are for later.
    private mutating func addStep(_ entry: Agenda.Entry, at time: Int, delay: Int? = nil) {
        let message = message(of: entry)
        if entry.rest > 15 {
            log.schedule(
                Agenda.Entry(index: entry.index, host: entry.host, rest: entry.rest >> 4), of: message, after: time,
                delay: delay, soon: delay == nil ? log.random.draw(3000) : 0)
        }
        addUsual(message, code: Int(entry.rest & 15), at: time)
    }

    /// Adds an event with its time in one of the common spellings. Buttons have no events.
    private mutating func addUsual(_ message: Message, code: Int, at time: Int) {
        let (user, spelling, way) = (user(), log.random.draw(7), log.random.draw(4))
        let platform: String? =
            switch message.agent.platform {
            case "unknown": way == 0 ? nil : "WEB"
            case "ios": way < 2 ? "iOS" : "ios"
            default: way == 0 ? "Android" : "android"
            }
        let name = code == 1 ? "push_open" : code == 2 ? "push_click" : "push_impression"
        body.addEvent(
            name, of: message, user: user, at: time, spelling: spelling,
            more: platform.map { #""platform":"\#($0)""# })
    }

    /// A push of this date, often one whose hits the collector has as well.
    private mutating func nextEntry() -> Agenda.Entry {
        guard let host = log.collectorHost(perMille: 400) else {
            return Agenda.Entry(index: log.ownIndex(after: body.count), rest: 0)
        }
        return Agenda.Entry(index: log.index(ofHost: host, before: 64), host: host, rest: 0)
    }

    private func message(of entry: Agenda.Entry) -> Message { log.message(at: entry.index, ofHost: entry.host) }

    private mutating func user() -> Int { 10_000 + log.random.draw(90_000) }

    private mutating func writeBody(receipt: Int) throws {
        let request = WebLine(
            address: "198.51.100.7", time: receipt, target: "/users/track", agent: "python-requests/2.32.3")
        try log.write(request, body: body.text, records: body.count)
    }
}
