/// The few messages, deliveries and times of a case. There are so few of them that records are often duplicates.
package struct GeneratedWorld {
    var messages: [GeneratedMessage]
    var deliveries: [String]
    var zone: Zone
    var windowDays: Int
    /// The one time of all events, if there is one, in milliseconds.
    var moment: Int?
    /// How many records a file has.
    private(set) var recordCounts = [0, 1, 5, 20, 40]

    init(pipeline: Pipeline, _ random: inout SplitMix64) {
        zone = Zone(pipeline.timeZone)
        windowDays = pipeline.windowDays
        messages = (0..<random.number(1...9)).map { _ in GeneratedMessage(&random) }
        let deliveries = ["d57fd6", "D57FD6", "56c4", "deliveryId", "9", "10", "campaña 7", "a", "b"]
        self.deliveries = Array(random.shuffle(deliveries).prefix(random.number(1...4)))
    }

    /// With so many records in each file, most of which speak of messages of their own. So nearly all of them count.
    mutating func fill(recordsPerFile: Int) {
        recordCounts = [recordsPerFile]
        messages = (0..<recordsPerFile * 2).map { GeneratedMessage(id: String(0x10000 + $0, radix: 16)) }
    }

    /// A time for an event of a log date, in milliseconds. There are few times, many of them at the edge of a day.
    func time(_ logDate: Day, _ random: inout SplitMix64) -> Int {
        if let moment { return moment }
        let shift = random.chance(80) ? 0 : random.pick([-1, 1, -2, -windowDays, windowDays])
        let start = zone.start(of: Day(number: logDate.number + shift)) * 1000
        switch random.below(10) {
        case 0: return start
        case 1: return start - random.pick([1, 1000])
        case 2: return start + random.pick([1, 999, 1000])
        case 3: return start + 86_399_000 + random.pick([0, 999])
        case 4: return start + random.below(26 * 4) * 900_000
        default: return start + random.pick([1, 2, 3, 4, 12, 23]) * 3_600_000 + random.pick([0, 0, 0, 123, 5000])
        }
    }

    /// A time for a payload: as above, or near the limits of the accepted times, or far off.
    func payloadTime(_ logDate: Day, _ random: inout SplitMix64) -> Int {
        if random.chance(85) { return time(logDate, &random) }
        let start = zone.start(of: logDate) * 1000
        let end = zone.start(of: Day(number: logDate.number + 1)) * 1000
        let day = 86_400_000
        switch random.below(5) {
        case 0: return start - windowDays * day - random.pick([0, 1, 1000])
        case 1: return start - windowDays * day + random.pick([0, 1, 1000])
        case 2: return end + day - random.pick([0, 1, 1000])
        case 3: return end + day + random.pick([0, 1, 1000])
        default: return random.pick([0, 2_147_483_647_000, 1000, 99_999_999_999_000, 4_102_444_800_000])
        }
    }
}

/// A message, whose id can be spelt in many ways.
struct GeneratedMessage {
    enum Kind {
        case hex(String)
        case uuid(String)
        case opaque(String)
    }

    var kind: Kind

    /// A UUID, or hex digits.
    init(id: String) {
        kind = id.contains("-") ? .uuid(id) : .hex(id)
    }

    init(_ random: inout SplitMix64) {
        switch random.below(10) {
        case 0:
            kind = .uuid(
                random.pick(["6b6499a8-9d43-4bc5-acf0-b6aeb96846f6", "00000000-0000-0000-0000-00000000000a"]))
        case 1:
            kind = .opaque(
                random.pick([
                    "T-ab3ae1e11a12771a-9831-0", "hello", "Hello", "h", "héllo", "1685a5 ", "12345678901234567",
                ]))
        case 2: kind = .hex(random.pick(["d7e15e5c", "80000000", "ffffffff", "fd4c527c"]))
        case 3: kind = .hex(random.pick(["7fffffffffffffff", "ffffffff7fffffff", "34aa061c0c56", "8000000000000000"]))
        default: kind = .hex(random.pick(["1685a5", "5", "3039", "138a", "d57fd6", "abc", "f", "153d80"]))
        }
    }

    /// The first part of a collector's `id`.
    func collectorPart(_ random: inout SplitMix64) -> String {
        let letter = random.chance(80) ? "h" : random.pick(["H", "s", "d", "a", "f", "T"])
        switch kind {
        case .hex(let digits): return letter + spelt(digits, &random)
        case .uuid(let text): return letter + (random.chance(30) ? text.uppercased() : text)
        // A collector has no opaque ids. Another message is used, because a reject every time would test little.
        case .opaque: return letter + "0badcafe"
        }
    }

    private func spelt(_ digits: String, _ random: inout SplitMix64) -> String {
        var text = digits
        if random.chance(15), text.count == 8, text.first.map({ "89abcdef".contains($0) }) == true {
            text = "ffffffff" + text
        }
        if random.chance(15) { text = String(repeating: "0", count: random.below(17 - text.count)) + text }
        return random.chance(20) ? text.uppercased() : text
    }

    /// A JSON value.
    func json(_ random: inout SplitMix64) -> GeneratedJSON {
        var text: String
        switch kind {
        case .hex(let digits):
            if random.chance(20), let number = UInt64(digits, radix: 16) { return .raw(String(number)) }
            text = (random.chance(60) ? "h" : random.pick(["", "H"])) + spelt(digits, &random)
        case .uuid(let uuid): text = (random.chance(30) ? "h" : "") + (random.chance(30) ? uuid.uppercased() : uuid)
        case .opaque(let opaque): text = opaque
        }
        if random.chance(8) { text = random.pick([" ", "\t", "\n", "\u{0B}"]) + text + random.pick(["", " "]) }
        return .string(Bytes(text))
    }
}
