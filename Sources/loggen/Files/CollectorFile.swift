import Reference

/// One host's access log of one date.
final class CollectorFile: LogFile {
    private lazy var shippedHits = universe.plan.shippedHits(on: file.date.weekday)
    /// Begins when all files have turned.
    private lazy var shippedClock = Clock(
        start: (universe.zone.start(of: file.date) + 600) * 1000,
        end: universe.zone.start(of: file.date.adding(days: 1)) * 1000, records: shippedHits, shape: clock.shape)
    private var shipped = 0
    /// Messages whose recipients have done all that they do.
    private var settled: [Int] = []

    override func writeSome(at time: Int) throws {
        if try writeShipped(before: time) { return }
        let odd = noise == .all ? 30 : 0
        let everyday = noise == .none ? odd : odd + 60
        switch random.draw(1000) {
        case 0..<odd: try writeOdd(message(at: records), at: time)
        case odd..<everyday: try writeEveryday(at: time)
        case everyday..<everyday + late: try writeLate(at: time)
        default: try writeNext(at: time)
        }
    }

    /// A recipient acts: what is due of a message under way, a step sent again, or a message's first.
    private func writeNext(at time: Int) throws {
        if let (entry, due) = agenda.next(by: time) {
            try writeStep(entry, of: message(at: entry.index), at: due)
        } else if !settled.isEmpty, random.perMille(45) {
            // Android resumes the activity, and the intent is still there.
            let message = message(at: random.one(of: settled))
            try write(message.hit(code: message.lastCode, at: time))
        } else {
            let message = message(at: records)
            countRecipient(of: message)
            try writeStep(Agenda.Entry(index: records, rest: message.chain), of: message, at: time)
        }
    }

    /// The next code of a message; the ones after it are for later.
    private func writeStep(_ entry: Agenda.Entry, of message: Message, at time: Int) throws {
        if entry.rest > 15 {
            let isFirst = entry.rest == message.chain
            schedule(after: entry, of: message, isFirst: isFirst, at: time, soon: random.draw(3) * 1000)
        } else if settled.count < 4096 {
            settled.append(entry.index)
        } else {
            settled[random.draw(settled.count)] = entry.index
        }
        let line = message.hit(code: Int(entry.rest & 15), at: time)
        try write(line)
        if random.perMille(3), rest > 0 { try write(line) }
    }

    /// A hit of an earlier date's message: of someone who takes days to open it, or from the SDK's queue, which has no
    /// end. Often that date has it already.
    private func writeLate(at time: Int) throws {
        let date = file.date.adding(days: -[1, 1, 1, 1, 1, 1, 2, 2, 3, 5][random.draw(10)])
        let records = universe.records(of: pool, on: date)
        var message = universe.message(date, pool, random.draw(records))
        for _ in 0..<3 where message.chain <= 15 || message.delay < 6 * 3600 {
            message = universe.message(date, pool, random.draw(records))
        }
        let code = random.perMille(800) ? message.lastCode : random.one(of: [7, 2, 1])
        try write(message.hit(code: code, at: time))
    }

    /// What two shippers carry stands in every file of the date, byte for byte.
    private func writeShipped(before time: Int) throws -> Bool {
        guard shipped < shippedHits, case let due = shippedClock.time(of: shipped), due <= time else { return false }
        let message = universe.message(file.date, universe.shippedPool, shipped)
        countRecipient(of: message)
        shipped += 1
        try write(message.hit(code: message.firstCode, at: due))
        return true
    }

    /// Requests that any tracking host has besides its hits, and hits that fail.
    private func writeEveryday(at time: Int) throws {
        let message = message(at: random.draw(max(1, records)))
        var line = message.hit(code: message.firstCode, at: time)
        switch random.draw(12) {
        case 0, 1: (line.target, line.agent, line.size) = ("/r/test", "HealthCheck/2.0", "142")
        case 2:
            let app = "/rest/head/mobileAppV5/aBcDeFgHiJk/subscriptions/"
            (line.method, line.target) = ("POST", app + String(message.address))
        case 3: (line.method, line.target) = ("POST", "/nms/mobile/1/registerAndroid.jssp")
        case 4:
            (line.target, line.referer) = ("/r/\(1000 + random.draw(9000))?tagid=home", "https://www.example.com/")
        case 5: line.target = random.one(of: ["/", "/favicon.ico", "/robots.txt", "/img/logo.png"])
        case 6, 7, 8:
            let letter = random.one(of: ["s", "d"])
            let link = String(message.delivery + 1 + UInt64(random.draw(9)), radix: 16)
            (line.target, line.status) = ("/r/?id=\(letter)\(message.id),\(message.deliveryText),\(link)", "302")
        case 9, 10: line.status = "404"
        default:
            // The client gives up or the gateway does, and the SDK tries again.
            line = message.hit(code: message.lastCode, at: time)
            line.status = random.one(of: ["499", "504", "503"])
            try write(line)
            if rest > 0 { try write(message.hit(code: message.lastCode, at: time + 30_000)) }
            return
        }
        try write(line)
    }
}
