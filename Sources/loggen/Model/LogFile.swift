import Calendar
import Reference

/// A file in the making: what all kinds have in common.
struct LogFile: ~Copyable {
    let universe: Universe
    let file: Plan.File
    /// Whose messages are the file's own.
    let pool: Universe.Pool
    private(set) var records = 0
    var buffer = Bytes()
    var truth: FileTruth
    private let gzip: GzipFile
    var speller: LineSpeller
    var random: SplitMix64
    /// Records of a body in the making, which is received with the last of them.
    var ahead = 0
    var agenda: Agenda
    let clock: Clock
    private let source: String
    private let times: PayloadTimes
    private var bucket = 0
    /// Odd records come in turn; each file begins with others.
    private(set) var oddity: Int

    var plan: Plan { universe.plan }
    /// Whether the file has bare bodies, or lines with the requests that carried them.
    var isBare: Bool { !plan.layout.hasBodies }

    init(universe: Universe, file: Plan.File, folder: String, keepsHits: Bool) throws {
        let plan = universe.plan
        self.universe = universe
        self.file = file
        truth = FileTruth(file: file, keepsHits: keepsHits)
        gzip = try GzipFile(path: "\(folder)/\(file.path)", level: plan.level)
        pool = .file(file.kind, file.index)
        source = file.kind.source
        times = PayloadTimes(plan: plan, date: file.date)
        speller = LineSpeller(layout: plan.layout, zone: plan.zone)
        random = SplitMix64(seed: plan.seed(of: file))
        oddity = Int(SplitMix64.mix(plan.seed(of: file)) % 1000)
        clock = Clock(plan: plan, file: file, shape: universe.shape(of: file.date))
        agenda = Agenda(start: clock.start, end: clock.end)
    }

    /// Of a thousand records, those that are odd, those that any host has besides its own, and those that are late.
    func shares(odd: Int, everyday: Int) -> (odd: Int, everyday: Int, late: Int) {
        (plan.noise == .all ? odd : 0, plan.noise == .none ? 0 : everyday, plan.latePerMille)
    }

    /// Called at each record's end; several records may end at once.
    mutating func endRecord(_ count: Int = 1) throws {
        let member = plan.memberRecords
        let endsMember = member > 0 && records / member != (records + count) / member
        records += count
        if buffer.count >= 256 * 1024 || endsMember { try flush() }
        if endsMember { try gzip.startMember() }
    }

    mutating func finish() throws -> FileTruth {
        try flush()
        try gzip.close()
        truth.packedBytes = gzip.compressedBytes
        return truth
    }

    private mutating func flush() throws {
        try gzip.write(buffer)
        truth.unpackedBytes += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    private var position: Int { records + ahead }

    var isFull: Bool { records >= file.records }

    /// When the next record is received, in milliseconds.
    mutating func nextTime() -> Int {
        clock.time(of: position, bucket: &bucket)
    }

    /// The next of some kinds of oddities. `step` has no divisor in common with their number, so that all come in turn.
    mutating func nextOddity<T>(of kinds: [T], step: Int = 37) -> T {
        oddity += 1
        return kinds[(oddity - 1) * step % kinds.count]
    }

    /// A time at most so many milliseconds before, and never in an earlier bucket: before a campaign is sent nobody has it.
    mutating func earlier(_ time: Int, by limit: Int) -> Int {
        let length = DayShape.secondsPerBucket * 1000
        return time - random.draw(min(limit, (time - clock.start) % length + 1))
    }

    /// The push that a record, so many after the last one, is the first to speak of; only this file knows it.
    func ownIndex(after records: Int = 0) -> Int {
        (self.records + records) % universe.records(of: pool, on: file.date)
    }

    /// So many times in a thousand one of the hosts whose hits the collector logs; nil without a collector.
    mutating func collectorHost(perMille: Int) -> Int? {
        guard plan.kinds.contains(.collector), random.perMille(perMille) else { return nil }
        return random.draw(plan.filesPerKind)
    }

    /// A push that a host speaks of at about this time of the day, or has not long before.
    mutating func index(ofHost host: Int, before: Int) -> Int {
        let records = universe.records(of: .file(.collector, host), on: file.date)
        let now = position * records / max(1, file.records)
        return max(0, min(records - 1, now - random.draw(before)))
    }

    /// An own push of an earlier date, and the time at which that date spoke of it.
    mutating func lateMessage(of date: LogDate) -> (message: Message, time: Int) {
        let index = random.draw(universe.records(of: pool, on: date))
        let second = universe.bucket(date, pool, index) * DayShape.secondsPerBucket
        let start = plan.zone.start(of: date) + second
        let time = start * 1000 + random.draw(DayShape.secondsPerBucket * 1000)
        return (universe.message(date, pool, index), time)
    }

    /// Remembers that the recipient of a message acts after a delay, or else soon. Most people sleep at night, and see
    /// then what has come when they get up.
    mutating func schedule(_ entry: Agenda.Entry, of message: Message, after time: Int, delay: Int?, soon: Int) {
        guard let delay else { return agenda.add(entry, at: time + soon) }
        let (hour, day) = (3_600_000, 86_400_000)
        var due = time - clock.start + delay
        let ofDay = due % day
        let bits = UInt64(message.address)
        if bits % 5 != 0, ofDay < 7 * hour || ofDay >= 23 * hour {
            due += (ofDay < 7 * hour ? 7 : 31) * hour - ofDay + Int(bits >> 8 & 0xFFFF) * 137
        }
        agenda.add(entry, at: clock.start + due)
    }

    /// What its recipient's user agent tells.
    func platform(of message: Message) -> Platform {
        universe.agents.agents[message.agent].platform
    }

    /// Writes a POST request that carried a body, and returns it.
    mutating func writeRequest(
        _ path: String, _ agent: String, body: Bytes, from address: String, at time: Int, ending: String = "\n",
        _ oddity: Oddity?
    ) -> WebLine {
        var line = WebLine(
            address: address, time: time, request: Bytes("POST \(path) HTTP/1.1"), agent: Bytes(agent), body: body,
            ending: ending)
        for change in oddity?.changes ?? [] {
            line.set(change.name, change.value?.filled { if $0 == .path { $1.append(path) } })
        }
        line.verdict = oddity?.verdict
        speller.write(line, into: &buffer)
        return line
    }

    /// A message that the file speaks of for the first time.
    mutating func countRecipient(of message: Message, _ platform: Platform? = nil) {
        guard message.rank < Campaign.all.count else { return }
        truth.recipients[message.rank, default: [:]][platform ?? self.platform(of: message), default: 0] += 1
    }

    /// Tells the truth about a record of a body. `receipt` is nil where no request says when it came.
    mutating func tell(_ payload: Payload, receipt: Int?) {
        if let verdict = payload.verdict {
            truth.count(verdict)
        } else if let (time, clockFallback) = times.settle(payload: payload.time, receipt: receipt) {
            accept(
                payload.key ?? payload.message.key, payload.action, time: time,
                payload.delivery ?? payload.message.deliveryText, payload.platform, clockFallback: clockFallback)
        } else {
            truth.count(.badTime)
        }
    }

    /// Tells the truth about a record that counts.
    mutating func accept(
        _ key: @autoclosure () -> BroadlogID, _ action: String, time: Int, _ delivery: @autoclosure () -> String,
        _ platform: Platform, clockFallback: Bool = false
    ) {
        truth.accept(
            clockFallback: clockFallback,
            Hit(
                idSpace: "push", broadlogID: key(), action: action, time: time, source: source,
                deliveryID: Bytes(delivery()), platform: platform.rawValue))
    }

    /// A record too long to be read: a long run of a byte, with something before and after it.
    mutating func writeLongRecord(_ before: String, _ byte: UInt8, count: Int, _ after: String) throws {
        buffer.append(before)
        buffer += Bytes(repeating: byte, count: count)
        buffer.append(after)
        truth.count(.lineTooLong)
        try endRecord()
    }
}
