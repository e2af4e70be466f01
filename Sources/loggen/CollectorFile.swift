import Reference

/// Writes one host's access log of one date.
struct CollectorFile: ~Copyable {
    private var log: LogFile
    private let shippedHits: Int
    private var shippedClock: Clock
    private var shipped = 0
    /// Messages whose recipients have done all that they do.
    private var settled: [Int] = []

    init(_ log: consuming LogFile) {
        let (zone, date) = (log.universe.zone, log.file.date)
        shippedHits = log.universe.plan.shippedHits(on: date.weekday)
        // All files have turned by then.
        shippedClock = Clock(
            start: (zone.start(of: date) + 600) * 1000, end: zone.start(of: date.adding(days: 1)) * 1000,
            records: shippedHits, shape: log.universe.shape(of: date))
        self.log = log
    }

    consuming func write() throws -> LogFile.Summary {
        let odd = log.noise == .all ? 30 : 0
        let everyday = log.noise == .none ? 0 : 60
        while log.rest > 0 {
            let time = log.nextTime()
            if try writeShipped(before: time) { continue }
            switch log.random.draw(1000) {
            case 0..<odd: try log.writeOdd(log.message(at: log.records), at: time)
            case odd..<odd + everyday: try writeEveryday(at: time)
            case odd + everyday..<odd + everyday + log.late: try writeLate(at: time)
            default: try writeNext(at: time)
            }
        }
        return try log.finish()
    }

    /// A recipient acts: what is due of a message under way, a step sent again, or a message's first.
    private mutating func writeNext(at time: Int) throws {
        if let (entry, due) = log.agenda.next(by: time) {
            try writeStep(of: log.message(at: entry.index), entry.index, rest: entry.rest, at: due)
            return
        }
        if !settled.isEmpty, log.random.perMille(45) {
            // Android resumes the activity, and the intent is still there.
            let message = log.message(at: log.random.one(of: settled))
            try log.write(message.hit(code: message.lastCode, at: time))
            return
        }
        let message = log.message(at: log.records)
        log.countRecipient(of: message)
        try writeStep(of: message, log.records, rest: message.chain, at: time)
    }

    /// The next code of a message; the ones after it are for later.
    private mutating func writeStep(of message: Message, _ index: Int, rest: UInt32, at time: Int) throws {
        let code = Int(rest & 15)
        if rest > 15 {
            let delay = rest == message.chain && code == 7 ? message.delay * 1000 : nil
            log.schedule(
                Agenda.Entry(index: index, rest: rest >> 4), of: message, after: time, delay: delay,
                soon: delay == nil ? log.random.draw(3) * 1000 : 0)
        } else if settled.count < 4096 {
            settled.append(index)
        } else {
            settled[log.random.draw(settled.count)] = index
        }
        let line = message.hit(code: code, at: time)
        try log.write(line)
        if log.random.perMille(3), log.rest > 0 { try log.write(line) }
    }

    /// A hit of an earlier date's message: of someone who takes days to open it, or from the SDK's queue, which has no
    /// end. Often that date has it already.
    private mutating func writeLate(at time: Int) throws {
        let date = log.file.date.adding(days: -[1, 1, 1, 1, 1, 1, 2, 2, 3, 5][log.random.draw(10)])
        let records = log.universe.records(of: log.pool, on: date)
        var message = log.universe.message(date, log.pool, log.random.draw(records))
        for _ in 0..<3 where message.chain <= 15 || message.delay < 6 * 3600 {
            message = log.universe.message(date, log.pool, log.random.draw(records))
        }
        let code = log.random.perMille(800) ? message.lastCode : log.random.one(of: [7, 2, 1])
        try log.write(message.hit(code: code, at: time))
    }

    /// What two shippers carry stands in every file of the date, byte for byte.
    private mutating func writeShipped(before time: Int) throws -> Bool {
        guard shipped < shippedHits else { return false }
        let due = shippedClock.time(of: shipped)
        guard due <= time else { return false }
        let message = log.universe.message(log.file.date, log.universe.shippedPool, shipped)
        log.countRecipient(of: message)
        shipped += 1
        try log.write(message.hit(code: message.firstCode, at: due))
        return true
    }

    /// Requests that any tracking host has besides its hits, and hits that fail.
    private mutating func writeEveryday(at time: Int) throws {
        let message = log.message(at: log.random.draw(max(1, log.records)))
        var line = message.hit(code: message.firstCode, at: time)
        switch log.random.draw(12) {
        case 0, 1: (line.target, line.agent, line.size) = ("/r/test", "HealthCheck/2.0", "142")
        case 2:
            let app = "/rest/head/mobileAppV5/aBcDeFgHiJk/subscriptions/"
            (line.method, line.target) = ("POST", app + String(message.address))
        case 3: (line.method, line.target) = ("POST", "/nms/mobile/1/registerAndroid.jssp")
        case 4:
            line.target = "/r/\(1000 + log.random.draw(9000))?tagid=home"
            line.referer = "https://www.example.com/"
        case 5: line.target = log.random.one(of: ["/", "/favicon.ico", "/robots.txt", "/img/logo.png"])
        case 6, 7, 8:
            let letter = log.random.one(of: ["s", "d"])
            let link = String(message.delivery + 1 + UInt64(log.random.draw(9)), radix: 16)
            line.target = "/r/?id=\(letter)\(message.idText),\(message.deliveryText),\(link)"
            line.status = "302"
        case 9, 10: line.status = "404"
        default:
            // The client gives up or the gateway does, and the SDK tries again.
            line = message.hit(code: message.lastCode, at: time)
            line.status = log.random.one(of: ["499", "504", "503"])
            try log.write(line)
            if log.rest > 0 { try log.write(message.hit(code: message.lastCode, at: time + 30_000)) }
            return
        }
        try log.write(line)
    }
}
