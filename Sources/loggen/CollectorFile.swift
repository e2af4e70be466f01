import Reference

/// One host's access log of one date.
final class CollectorFile: LogFile {
    /// Messages whose recipients have done all that they do.
    private var settled: [Int] = []

    override func writeSome(at time: Int) throws {
        let odd = noise == .all ? 30 : 0
        switch random.below(1000) {
        case 0..<odd: try writeOdd(message(at: records), at: time)
        case odd..<odd + 60: try writeEveryday(at: time)
        case odd + 60..<odd + 60 + late: try writeLate(at: time)
        default: try writeNext(at: time)
        }
    }

    /// A recipient acts: what is due of a message under way, a step sent again, or a message's first.
    private func writeNext(at time: Int) throws {
        if let (entry, due) = nextDue(by: time) {
            try writeStep(entry, of: message(at: entry.index), at: due)
        } else if !settled.isEmpty, random.perMille(45) {
            // Android resumes the activity, and the intent is still there.
            let message = message(at: random.pick(settled))
            try write(message.hit(code: message.lastCode, at: time))
        } else {
            let message = message(at: records)
            try writeStep(Entry(index: records, rest: message.chain), of: message, at: time)
        }
    }

    /// The next code of a message; the ones after it are for later.
    private func writeStep(_ entry: Entry, of message: Message, at time: Int) throws {
        if entry.rest > 15 {
            let isFirst = entry.rest == message.chain
            schedule(after: entry, of: message, isFirst: isFirst, at: time, soon: random.below(3) * 1000)
        } else if settled.count < 4096 {
            settled.append(entry.index)
        } else {
            settled[random.below(settled.count)] = entry.index
        }
        let line = message.hit(code: Int(entry.rest & 15), at: time)
        try write(line)
        if random.perMille(3), rest > 0 { try write(line) }
    }

    /// A hit of an earlier date's message: of someone who takes days to open it, or from the SDK's queue, which has no
    /// end. Often that date has it already.
    private func writeLate(at time: Int) throws {
        let days = random.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 5])
        var message = lateMessage(daysBefore: days).message
        for _ in 0..<3 where message.chain <= 15 || message.delay < 6 * 3600 {
            message = lateMessage(daysBefore: days).message
        }
        let code = random.perMille(800) ? message.lastCode : random.pick([7, 2, 1])
        try write(message.hit(code: code, at: time))
    }

    /// Requests that any tracking host has besides its hits, and hits that fail.
    private func writeEveryday(at time: Int) throws {
        let message = message(at: random.below(max(1, records)))
        var line = message.hit(code: message.firstCode, at: time)
        switch random.below(12) {
        case 0, 1: (line.target, line.agent, line.size) = ("/r/test", "HealthCheck/2.0", "142")
        case 2:
            let app = "/rest/head/mobileAppV5/aBcDeFgHiJk/subscriptions/"
            line.method = "POST"
            line.target = app + String(message.address)
        case 3: (line.method, line.target) = ("POST", "/nms/mobile/1/registerAndroid.jssp")
        case 4:
            line.target = "/r/\(1000 + random.below(9000))?tagid=home"
            line.referer = "https://www.example.com/"
        case 5: line.target = random.pick(["/", "/favicon.ico", "/robots.txt", "/img/logo.png"])
        case 6, 7, 8:
            let letter = random.pick(["s", "d"])
            let link = String(message.delivery + 1 + UInt64(random.below(9)), radix: 16)
            line.target = "/r/?id=\(letter)\(message.id),\(message.deliveryText),\(link)"
            line.status = "302"
        case 9, 10: line.status = "404"
        default:
            // The client gives up or the gateway does, and the SDK tries again.
            line = message.hit(code: message.lastCode, at: time)
            line.status = random.pick(["499", "504", "503"])
            try write(line)
            if rest > 0 { try write(message.hit(code: message.lastCode, at: time + 30_000)) }
            return
        }
        try write(line)
    }
}
