import CZlib
import Reference

/// A file in the making: what all kinds have in common.
class LogFile {
    /// A message that was written, and the codes that its recipient still sends.
    struct Entry {
        var index: Int
        /// The collector file that the message belongs to; nil for the file's own.
        var host: Int?
        var rest: UInt32 = 0
    }

    let universe: Universe
    let file: Plan.File
    /// Whose messages are the file's own.
    let pool: Int
    /// Of a thousand records, those that belong to an earlier date.
    let late: Int
    let noise: Plan.Noise
    let clock: Clock
    var random: SplitMix64
    private(set) var records = 0
    /// Records of a body in the making, which is received with the last of them.
    var ahead = 0
    private let path: String
    private let gzip: gzFile
    /// The last line's time. It is kept, since neighbours share their second.
    private var lineTime = (second: Int.min, text: "")
    /// When earlier dates begin, in seconds, by how many days before the file's date they are.
    private var starts: [Int: Int] = [:]
    /// What recipients are going to do later on the same date, by the second at which they do it.
    private var agenda: [[Entry]]
    private var second = 0
    /// The reference reads odd records, and chance of their own makes them.
    private let reading: Reading
    private var oddity: SplitMix64
    /// How many files of the collector there are.
    private let hosts: Int

    var rest: Int { file.records - records }
    private var position: Int { records + ahead }

    required init(universe: Universe, file: Plan.File, folder: String) throws {
        let plan = universe.plan
        self.universe = universe
        self.file = file
        let kind = plan.chosenKinds.firstIndex(of: file.kind) ?? 0
        pool = kind * plan.files + file.index
        late = plan.late
        noise = plan.usedNoise
        hosts = plan.chosenKinds.contains(.collector) ? plan.files : 0
        random = SplitMix64(seed: plan.seed(of: file))
        oddity = SplitMix64(seed: SplitMix64.mix(plan.seed(of: file)))
        let pipeline = plan.pipeline
        reading = Reading(source: pipeline.sources[kind], pipeline: pipeline, logDate: file.date)
        // Hosts turn their logs over a little after midnight.
        let turn = file.index * 137 % 600
        clock = Clock(
            start: (universe.zone.start(of: file.date) + turn) * 1000,
            end: (universe.zone.start(of: file.date.adding(days: 1)) + turn) * 1000, records: file.records,
            shape: universe.shape(of: file.date))
        agenda = Array(repeating: [], count: (clock.end - clock.start) / 1000)
        path = "\(folder)/\(file.path)"
        // zlib writes no name and no time into the header, so the same bytes give the same file.
        guard let gzip = gzopen(path, "wb\(plan.level)") else { throw LoggenError(path: path) }
        gzbuffer(gzip, 256 * 1024)
        self.gzip = gzip
    }

    func write() throws {
        while rest > 0 { try writeSome(at: nextTime()) }
        guard gzclose(gzip) == Z_OK else { throw LoggenError(path: path) }
    }

    /// Writes a record, or several that belong together.
    func writeSome(at time: Int) throws {}

    /// Writes lines, with which so many records end.
    private func write(_ lines: Bytes, records: Int) throws {
        guard gzwrite(gzip, lines, UInt32(lines.count)) == lines.count else { throw LoggenError(path: path) }
        self.records += records
    }

    func write(_ line: WebLine) throws {
        let second = floored(line.time, by: 1000)
        if second != lineTime.second {
            let time = GeneratedApacheTime(GeneratedTime(milliseconds: line.time, zone: universe.zone))
            lineTime = (second, time.text("%d/%b/%Y:%H:%M:%S %z"))
        }
        try write(line.text(time: lineTime.text), records: 1)
    }

    /// Writes the body of a POST request.
    func write(body: String, records: Int = 1) throws {
        try write(Bytes(body + "\n"), records: records)
    }

    /// Writes odd records that speak of a message: the reference's generator has every odd spelling, what is filtered,
    /// and what is rejected.
    func writeOdd(_ message: Message, at time: Int) throws {
        while true {
            let records = GeneratedRecords(
                pipeline: universe.plan.pipeline, source: reading.source, logDate: file.date, id: message.id,
                delivery: message.deliveryText, time: time, faults: 8, &oddity)
            let lines = Bytes((records.header(&oddity) + [records.record(&oddity)]).map { $0 + [10] }.joined())
            // What follows must count the same whatever this is.
            let count = reading.records(Unpacked(lines)).count
            if (1...rest).contains(count), reading.records(Unpacked(lines + lines)).count == 2 * count {
                return try write(lines, records: count)
            }
        }
    }

    /// When the next record is received, in milliseconds.
    func nextTime() -> Int { clock.time(of: position) }

    /// A time at most so many milliseconds before, and never in an earlier bucket: before a campaign is sent nobody has
    /// it.
    func earlier(_ time: Int, by limit: Int) -> Int {
        let length = DayShape.secondsPerBucket * 1000
        return time - random.below(min(limit, (time - clock.start) % length + 1))
    }

    /// The message of which the record at `index` of the file is the first to speak, or of another file.
    func message(at index: Int, ofHost host: Int? = nil) -> Message {
        universe.message(on: file.date, pool: host ?? pool, index: index)
    }

    /// The message that a record, so many after the last one, is the first to speak of; only this file knows it.
    func ownIndex(after records: Int = 0) -> Int {
        (self.records + records) % universe.records(of: pool, on: file.date)
    }

    /// So many times in a thousand a host whose hits the collector logs, which is its pool; nil without a collector.
    func collectorHost(perMille: Int) -> Int? {
        hosts > 0 && random.perMille(perMille) ? random.below(hosts) : nil
    }

    /// A push that a host speaks of at about this time of the day, or has not long before.
    func index(ofHost host: Int, before: Int) -> Int {
        let records = universe.records(of: host, on: file.date)
        let now = position * records / max(1, file.records)
        return max(0, min(records - 1, now - random.below(before)))
    }

    /// An own push of an earlier date, and the time at which that date spoke of it.
    func lateMessage(daysBefore days: Int) -> (message: Message, time: Int) {
        let date = file.date.adding(days: -days)
        let index = random.below(universe.records(of: pool, on: date))
        let start = starts[days] ?? universe.zone.start(of: date)
        starts[days] = start
        let second = start + universe.bucket(on: date, pool: pool, index: index) * DayShape.secondsPerBucket
        let time = second * 1000 + random.below(DayShape.secondsPerBucket * 1000)
        return (universe.message(on: date, pool: pool, index: index), time)
    }

    /// Remembers what the recipient of a message is going to do after the first code of an entry: soon, or, if that is
    /// the message's display, after its delay. Most people sleep at night, and see then what has come when they get up.
    /// Nothing is kept that would happen after the end.
    func schedule(
        after entry: Entry, of message: Message, isFirst: Bool, at time: Int, soon: @autoclosure () -> Int
    ) {
        var next = entry
        next.rest >>= 4
        var due = time - clock.start
        if isFirst, message.firstCode == 7 {
            due += message.delay * 1000
            let hour = 3_600_000
            let day = 86_400_000
            let ofDay = due % day
            let bits = UInt64(message.address)
            if bits % 5 != 0, ofDay < 7 * hour || ofDay >= 23 * hour {
                due += (ofDay < 7 * hour ? 7 : 31) * hour - ofDay + Int(bits >> 8 & 0xFFFF) * 137
            }
        } else {
            due += soon()
        }
        // What is overdue comes next.
        let place = max(second, due / 1000)
        if place < agenda.count { agenda[place].append(next) }
    }

    /// Takes the next entry that is due by `time`, with the time at which it is due.
    func nextDue(by time: Int) -> (entry: Entry, time: Int)? {
        let limit = min(agenda.count - 1, (time - clock.start) / 1000)
        while second <= limit {
            if let entry = agenda[second].popLast() { return (entry, clock.start + second * 1000) }
            second += 1
        }
        return nil
    }
}
