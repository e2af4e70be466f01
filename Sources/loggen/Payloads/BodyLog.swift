/// A log of request bodies in the making: what mzip and users_track files have in common.
struct BodyLog: ~Copyable {
    let universe: Universe
    let file: Plan.File
    /// Bare bodies, or lines with the requests that carried them.
    let isBare: Bool
    /// Whose pushes are the file's own.
    let pool: Universe.Pool
    let request: Request
    var output: Output
    var random: SplitMix64
    /// Odd records come in turn; each file begins with others.
    var oddity: Int
    /// Records of the body in the making, which is received with the last of them.
    var ahead = 0
    private let source: Int
    private let times: PayloadTimes
    private let clock: Clock
    private var speller: LineSpeller
    private var bucket = 0

    /// What the requests of a kind have in common.
    struct Request {
        var path: String
        var agent: String
    }

    var plan: Plan { universe.plan }

    init(
        universe: Universe, file: Plan.File, pool: Universe.Pool, request: Request, output: consuming Output
    ) {
        let plan = universe.plan
        self.universe = universe
        self.file = file
        self.pool = pool
        self.request = request
        self.output = output
        isBare = !plan.layout.hasBodies
        source = plan.kinds.firstIndex(of: file.kind) ?? 0
        times = PayloadTimes(plan: plan, date: file.date)
        speller = LineSpeller(layout: plan.layout, zone: plan.zone)
        random = SplitMix64(seed: plan.seed(of: file))
        oddity = Int(SplitMix64.mix(plan.seed(of: file)) % 1000)
        clock = Clock(plan: plan, file: file, shape: universe.shape(of: file.date))
    }

    private var position: Int { output.records + ahead }

    var isFull: Bool {
        output.records >= file.records
    }

    var start: Int { clock.start }
    var end: Int { clock.end }

    /// When the next record is received, in milliseconds.
    mutating func nextTime() -> Int {
        clock.time(of: position, bucket: &bucket)
    }

    /// A time at most so many milliseconds before, and never in an earlier bucket: before a campaign is sent nobody has it.
    mutating func earlier(_ time: Int, by limit: Int) -> Int {
        let length = DayShape.secondsPerBucket * 1000
        return time - random.below(min(limit, (time - clock.start) % length + 1))
    }

    /// The push that a record, so many after the last one, is the first to speak of; only this file knows it.
    func ownIndex(after records: Int = 0) -> Int {
        (output.records + records) % universe.records(of: pool, on: file.date)
    }

    /// So many times in a thousand one of the hosts whose hits the collector logs; nil without a collector.
    mutating func collectorHost(perMille: Int) -> Int? {
        guard plan.kinds.contains(.collector), random.perMille(perMille) else { return nil }
        return random.below(plan.filesPerKind)
    }

    /// A push that a host speaks of at about this time of the day, or has not long before.
    mutating func index(ofHost host: Int, before: Int) -> Int {
        let records = universe.records(of: .collector(file: host), on: file.date)
        let now = position * records / max(1, file.records)
        return max(0, min(records - 1, now - random.below(before)))
    }

    /// An own push of an earlier date, and the time at which that date spoke of it.
    mutating func lateMessage(of date: Day) -> (message: Message, time: Int) {
        let index = random.below(universe.records(of: pool, on: date))
        let second = universe.bucket(date, pool, index) * DayShape.secondsPerBucket
        let start = universe.plan.zone.start(of: date) + second
        let time = start * 1000 + random.below(DayShape.secondsPerBucket * 1000)
        return (universe.message(date, pool, index), time)
    }

    /// Writes the request that carried a body.
    mutating func writeLine(_ body: UnsafeRawBufferPointer, _ web: WebPart, from address: String, receipt: Int) {
        var line = WebLine(
            address: address, time: receipt,
            request: Array("\(web.method) \(web.path ?? request.path) HTTP/1.1".utf8),
            agent: Array(request.agent.utf8))
        line.status = web.status
        line.body = web.hasBody ? Array(body) : nil
        line.shape = web.shape
        line.ending = web.ending
        line.timeSpelling = web.timeSpelling
        speller.write(line, into: &output.buffer)
    }

    /// Tells the truth about a record; `receipt` is nil where no request says when it came.
    mutating func tell(_ truth: RecordTruth, receipt: Int?) {
        if let verdict = truth.verdict {
            output.truth.count(verdict)
        } else if let (time, clockFallback) = times.settle(payload: truth.payload, receipt: receipt) {
            output.truth.accept(
                clockFallback: clockFallback, truth.hit(at: time, source: source, date: file.date))
        } else {
            output.truth.count(.badTime)
        }
    }
}
