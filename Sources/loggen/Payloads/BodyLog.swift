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
    private let source: Int
    private let times: PayloadTimes
    private let clock: Clock
    private let collectorPushes: Int
    private var speller: LineSpeller
    private var hour = 0
    private var messages = 0

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
        clock = Clock(plan: plan, file: file)
        let pushesOfHost = max(1, plan.records(of: .collector) / plan.filesPerKind * 55 / 100)
        collectorPushes = plan.kinds.contains(.collector) ? pushesOfHost : 0
    }

    var isFull: Bool {
        output.records >= file.records
    }

    /// When the next record is received, in milliseconds.
    mutating func nextTime() -> Int {
        clock.time(of: output.records, hour: &hour)
    }

    /// The next push of this date that only this file speaks of.
    mutating func ownMessage() -> Message {
        messages += 1
        return universe.message(file.date, pool, messages)
    }

    /// So many times in a thousand a host whose hits the collector logs as well; nil without a collector.
    mutating func collectorHost(perMille: Int) -> Universe.Pool? {
        guard collectorPushes > 0, random.perMille(perMille) else { return nil }
        return .collector(file: random.below(plan.filesPerKind))
    }

    mutating func message(ofHost host: Universe.Pool) -> Message {
        universe.message(file.date, host, random.below(collectorPushes))
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
