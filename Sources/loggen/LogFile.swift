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
    let pool: Int
    /// Of a thousand records, those that belong to an earlier date.
    let late: Int
    let noise: Plan.Noise
    let layout: Layout
    var random: SplitMix64
    /// Records of a body in the making, which is received with the last of them.
    var ahead = 0
    var agenda: Agenda
    private(set) var records = 0
    private var buffer = Bytes()
    private let gzip: GzipFile
    /// The last line's time. It is kept, since neighbours share their second.
    private var lineTime = (second: Int.min, text: "")
    private var clock: Clock
    private var odd: OddRecords
    private var recipients: [Int: [String: Int]] = [:]
    /// How many files of the collector there are.
    private let hosts: Int

    /// The first instant of the file's day, in milliseconds.
    var start: Int { clock.start }
    var rest: Int { file.records - records }
    private var position: Int { records + ahead }

    init(universe: Universe, file: Plan.File, folder: String) throws {
        let plan = universe.plan
        self.universe = universe
        self.file = file
        gzip = try GzipFile(path: "\(folder)/\(file.path)", level: plan.level)
        pool = universe.pool(file.kind, file.index)
        (late, noise, layout) = (plan.late, plan.usedNoise, plan.layout)
        hosts = plan.chosenKinds.contains(.collector) ? plan.files : 0
        random = SplitMix64(seed: plan.seed(of: file))
        odd = OddRecords(plan: plan, file: file)
        // Hosts turn their logs over a little after midnight.
        let turn = file.index * 137 % 600
        clock = Clock(
            start: (universe.zone.start(of: file.date) + turn) * 1000,
            end: (universe.zone.start(of: file.date.adding(days: 1)) + turn) * 1000, records: file.records,
            shape: universe.shape(of: file.date))
        agenda = Agenda(start: clock.start, end: clock.end)
        if file.kind == .collector { buffer.append(layout.header) }
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

    /// Writes a line, with which so many records end.
    mutating func write(_ line: WebLine, records: Int = 1) throws {
        let second = floored(line.time, by: 1000)
        if second != lineTime.second { lineTime = (second, layout.time(of: line.time, in: universe.zone)) }
        layout.write(line, time: lineTime.text, into: &buffer)
        try endRecords(records)
    }

    /// Writes the body of a POST request, or the request, if the layout has bodies.
    mutating func write(_ request: WebLine, body: String, records: Int = 1) throws {
        if layout.hasBodies {
            var request = request
            (request.method, request.body) = ("POST", body)
            return try write(request, records: records)
        }
        buffer.append(body)
        buffer.append("\n")
        try endRecords(records)
    }

    /// Writes odd records that speak of a message.
    mutating func writeOdd(_ message: Message, at time: Int) throws {
        let (text, count) = odd.next(of: message, at: time, limit: rest)
        buffer += text
        try endRecords(count)
    }

    private mutating func endRecords(_ count: Int) throws {
        records += count
        if buffer.count >= 256 * 1024 { try flush() }
    }

    /// When the next record is received, in milliseconds.
    mutating func nextTime() -> Int { clock.time(of: position) }

    /// A time at most so many milliseconds before, and never in an earlier bucket: before a campaign is sent nobody has it.
    mutating func earlier(_ time: Int, by limit: Int) -> Int {
        let length = DayShape.secondsPerBucket * 1000
        return time - random.draw(min(limit, (time - clock.start) % length + 1))
    }

    /// The message of which the record at `index` of the file is the first to speak, or of another file.
    func message(at index: Int, ofHost host: Int? = nil) -> Message {
        universe.message(file.date, host.map { universe.pool(.collector, $0) } ?? pool, index)
    }

    /// The message that a record, so many after the last one, is the first to speak of; only this file knows it.
    func ownIndex(after records: Int = 0) -> Int {
        (self.records + records) % universe.records(of: pool, on: file.date)
    }

    /// So many times in a thousand one of the hosts whose hits the collector logs; nil without a collector.
    mutating func collectorHost(perMille: Int) -> Int? {
        guard hosts > 0, random.perMille(perMille) else { return nil }
        return random.draw(hosts)
    }

    /// A push that a host speaks of at about this time of the day, or has not long before.
    mutating func index(ofHost host: Int, before: Int) -> Int {
        let records = universe.records(of: universe.pool(.collector, host), on: file.date)
        let now = position * records / max(1, file.records)
        return max(0, min(records - 1, now - random.draw(before)))
    }

    /// An own push of an earlier date, and the time at which that date spoke of it.
    mutating func lateMessage(daysBefore days: Int) -> (message: Message, time: Int) {
        let date = file.date.adding(days: -days)
        let index = random.draw(universe.records(of: pool, on: date))
        let second = universe.bucket(date, pool, index) * DayShape.secondsPerBucket
        let start = universe.zone.start(of: date) + second
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
}
