import Calendar
import Reference

/// A file in the making: what all kinds have in common.
struct LogFile: ~Copyable {
    /// What was written.
    struct Summary: Sendable {
        let file: Plan.File
        let records: Int
        let unpackedBytes: Int
        let packedBytes: Int
        /// Messages of the file's own date that it speaks of, by their delivery's rank among the campaigns and by platform.
        let recipients: [Int: [String: Int]]
    }

    let universe: Universe
    let file: Plan.File
    /// Whose messages are the file's own.
    let pool: Universe.Pool
    private(set) var records = 0
    var buffer = Bytes()
    private let gzip: GzipFile
    private var speller: LineSpeller
    var random: SplitMix64
    /// Records of a body in the making, which is received with the last of them.
    var ahead = 0
    var agenda: Agenda
    private var clock: Clock
    /// Odd records come in turn; each file begins with others.
    private(set) var oddity: Int
    private var recipients: [Int: [String: Int]] = [:]

    var plan: Plan { universe.plan }
    var isFull: Bool { records >= file.records }
    private var position: Int { records + ahead }

    init(universe: Universe, file: Plan.File, folder: String) throws {
        let plan = universe.plan
        self.universe = universe
        self.file = file
        gzip = try GzipFile(path: "\(folder)/\(file.path)", level: plan.level)
        pool = .file(file.kind, file.index)
        speller = LineSpeller(layout: plan.layout, zone: plan.zone)
        random = SplitMix64(seed: plan.seed(of: file))
        oddity = Int(SplitMix64.mix(plan.seed(of: file)) % 1000)
        // Hosts turn their logs over a little after midnight.
        let turn = file.index * 137 % 600
        clock = Clock(
            start: (plan.zone.start(of: file.date) + turn) * 1000,
            end: (plan.zone.start(of: file.date.adding(days: 1)) + turn) * 1000, records: file.records,
            shape: universe.shape(of: file.date))
        agenda = Agenda(start: clock.start, end: clock.end)
    }

    /// Of a thousand records, those that are odd, those that any host has besides its own, and those that are late.
    func shares(odd: Int, everyday: Int) -> (odd: Int, everyday: Int, late: Int) {
        (plan.noise == .all ? odd : 0, plan.noise == .none ? 0 : everyday, plan.latePerMille)
    }

    /// Called at each record's end; several records may end at once.
    mutating func endRecord(_ count: Int = 1) throws {
        records += count
        if buffer.count >= 256 * 1024 { try flush() }
    }

    mutating func finish() throws -> Summary {
        try flush()
        try gzip.close()
        return Summary(
            file: file, records: records, unpackedBytes: gzip.unpackedBytes, packedBytes: gzip.packedBytes,
            recipients: recipients)
    }

    private mutating func flush() throws {
        try gzip.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    mutating func write(_ line: WebLine) { speller.write(line, into: &buffer) }

    /// Writes a POST request that carried a body.
    mutating func writeRequest(
        _ path: String, _ agent: String, body: Bytes, from address: String, at time: Int, ending: String = "\n"
    ) {
        write(
            WebLine(
                address: address, time: time, request: Bytes("POST \(path) HTTP/1.1"), agent: Bytes(agent), body: body,
                ending: ending))
    }

    /// When the next record is received, in milliseconds.
    mutating func nextTime() -> Int { clock.time(of: position) }

    /// The next of some kinds of oddities. `step` has no divisor in common with their number, so that all come in turn.
    mutating func nextOddity(of kinds: [Oddity], step: Int = 37) -> Oddity {
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
    mutating func lateMessage(daysBefore days: Int) -> (message: Message, time: Int) {
        let date = file.date.adding(days: -days)
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

    /// A message that the file speaks of for the first time.
    mutating func countRecipient(of message: Message, _ platform: String? = nil) {
        guard message.rank < Campaign.all.count else { return }
        recipients[message.rank, default: [:]][platform ?? message.agent.platform, default: 0] += 1
    }

    /// The first instant of the file's day, in milliseconds.
    var start: Int { clock.start }
}
