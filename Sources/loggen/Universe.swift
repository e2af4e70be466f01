import Reference

/// Every push message that was ever sent here. A message hangs only on the seed, its date, its pool and its index,
/// so that a later date, another host or another kind can speak of it without having seen it.
///
/// A pool is the messages of which a file of each date is the first to speak; those of the collector's files come
/// first.
struct Universe: Sendable {
    let plan: Plan
    let zone: Zone
    let campaigns: Int
    private let agents: UserAgents
    private let triggered: Shares
    /// By weekday.
    private let shapes: [DayShape]
    /// The records of each pool, by weekday.
    private let recordsOfPools: [[Int]]
    private let rangeBits: Int
    private let pools: Int
    // Of the plan, which is slow to ask; at last whether all hits have an mcId, or only those of the Campaign Standard
    // SDK.
    private let (seed, ids, deliveries, hasMcIDs): (UInt64, Plan.IDForm, Int, Bool)

    init(plan: Plan) {
        self.plan = plan
        zone = Zone(Plan.timeZone)
        seed = plan.seed
        ids = plan.idForm
        deliveries = plan.deliveries
        hasMcIDs = plan.preset == .hard
        agents = UserAgents(count: plan.agentCount)
        let campaigns = max(1, min(Campaign.all.count, plan.deliveries * 3 / 4))
        self.campaigns = campaigns
        triggered = Shares(popular: max(1, plan.deliveries - campaigns))
        shapes = (0..<7).map { DayShape(weekday: $0, campaigns: campaigns) }
        recordsOfPools = (0..<7).map { weekday in plan.records(on: weekday).map { max(1, $0) } }
        pools = recordsOfPools[0].count
        let slots = UInt64((recordsOfPools.joined().max() ?? 1) + 1) * UInt64(pools)
        rangeBits = min(30, max(20, 64 - slots.leadingZeroBitCount))
    }

    func shape(of date: Day) -> DayShape { shapes[date.weekday] }

    /// How many records the file of a pool has on a date, at least 1. `message` takes an index below it.
    func records(of pool: Int, on date: Day) -> Int { recordsOfPools[date.weekday][pool] }

    /// The message that the record at `index` of a pool's file is the first to speak of.
    func message(on date: Day, pool: Int, index: Int) -> Message {
        let slot = UInt64(index * pools + pool)
        let place = SplitMix64.mix(seed &+ UInt64(bitPattern: Int64(date.number)) &* 0x9E37_79B9_7F4A_7C15)
        let bits = SplitMix64.mix(place ^ slot)
        let more = SplitMix64.mix(bits ^ 0xA5A5_A5A5_A5A5_A5A5)
        let acting = SplitMix64.mix(more ^ 3)
        let agent = agents.agent(for: more)
        var rank = shape(of: date).ranks[bucket(on: date, pool: pool, index: index)].index(for: bits)
        if rank == campaigns { rank = deliveries > campaigns ? rank + triggered.index(for: acting) : 0 }
        let chain = Message.chain(for: Int(more % 100))
        let appeal = rank < campaigns ? Campaign.all[rank].appeal : 85
        let isOpened = Int(acting % 10_000) < appeal * 100
        return Message(
            id: id(date, slot: slot, bits: bits),
            delivery: delivery(date, rank: rank),
            agent: agent,
            mcID: hasMcIDs || agent.isSDK ? SplitMix64.mix(more ^ 1) | 1 : 0,
            address: UInt32(truncatingIfNeeded: bits >> 3),
            chain: isOpened || !Message.opens(chain) ? chain : 0x7,
            delay: DelayCurve.opening.delay(for: acting >> 20))
    }

    /// The bucket of the day in which the record at `index` of a pool's file is written.
    func bucket(on date: Day, pool: Int, index: Int) -> Int {
        let records = records(of: pool, on: date)
        return shape(of: date).records.index(at: ((index % records) << 32) / records)
    }

    /// Delivery ids grow with the date as well.
    func delivery(_ date: Day, rank: Int) -> UInt64 {
        UInt64(0x2_0000 + (daysSinceStart(date) * deliveries + rank) * 11)
    }

    /// The days since 2026-01-01.
    private func daysSinceStart(_ date: Day) -> Int { max(0, date.number - 20_454) }

    private func id(_ date: Day, slot: UInt64, bits: UInt64) -> String {
        if ids == .uuid || ids == .mixed && bits & 1 == 0 {
            let first = bits.sixteenDigits
            let last = SplitMix64.mix(bits ^ 2).sixteenDigits
            let middle = [first.dropFirst(8).prefix(4), first.suffix(4), last.prefix(4)].joined(separator: "-")
            return "\(first.prefix(8))-\(middle)-\(last.suffix(12))"
        }
        if ids == .random { return String(max(1, SplitMix64.mix(bits) >> 32), radix: 16) }
        // The recipients of a date share a range; they act in no order, hence the scattering, which maps each slot to
        // another place. Like the sequences of real databases the ranges wrap after 32 bits.
        let mask: UInt64 = (1 << UInt64(rangeBits)) - 1
        var scattered = (slot &* 0x9E37_79B1) & mask
        scattered ^= scattered >> UInt64(rangeBits / 2)
        scattered = (scattered &* 0x85EB_CA6B) & mask
        let range = UInt64(daysSinceStart(date) + 16) << UInt64(rangeBits)
        return String(max(1, (range | scattered) & 0xFFFF_FFFF), radix: 16)
    }
}

/// One push to one recipient.
struct Message: Sendable {
    /// As it is most often spelled: lower case, without a type letter.
    var id: String
    var delivery: UInt64
    var agent: UserAgents.Agent
    /// Where the 38 digits come from; 0 for none.
    var mcID: UInt64
    var address: UInt32
    /// The codes it is going to send, four bits each, the first in the lowest.
    var chain: UInt32
    /// Seconds from the first of them to the second; those after it follow at once.
    var delay: Int

    /// What recipients do, up to which percent of them: see it; see, click and open it; dismiss it, which sends a click
    /// alone; and so on.
    private static let chains: [(percent: Int, chain: UInt32)] = [
        (48, 0x7), (74, 0x127), (78, 0x217), (88, 0x27), (93, 0x12), (95, 0x17), (97, 0x1277), (98, 0x37), (99, 0x47),
        (100, 0x57),
    ]

    static func chain(for percent: Int) -> UInt32 {
        chains.first { percent < $0.percent }?.chain ?? 0x7
    }

    /// Whether its recipient sees it and opens it.
    static func opens(_ chain: UInt32) -> Bool {
        chain > 0 && (chain & 15 == 1 || opens(chain >> 4))
    }

    var firstCode: Int { Int(chain & 15) }

    var lastCode: Int { Int(chain >> ((31 - UInt32(chain.leadingZeroBitCount)) / 4 * 4)) }

    var deliveryText: String { String(delivery, radix: 16) }

    /// The push service's own id of it.
    var notification: UInt64 { SplitMix64.mix(mcID ^ UInt64(address)) }

    /// An address of the ranges that are set aside for documentation.
    var addressText: String {
        let range = ["192.0.2.", "198.51.100.", "203.0.113.", "203.0.113."][Int(address & 3)]
        return range + String(Int(address >> 2) % 254 + 1)
    }

    /// A hit as the app's SDK sends it.
    func hit(code: Int, at time: Int) -> WebLine {
        WebLine(
            address: addressText, time: time, target: "/r/?id=h\(id),\(deliveryText),\(code)\(mcIDParameter)",
            agent: agent.text)
    }

    private var mcIDParameter: String {
        if mcID == 0 { return "" }
        return "&mcId=" + padded(Int(mcID >> 1), 19) + padded(Int(SplitMix64.mix(mcID) >> 1), 19)
    }
}

/// One line of a web server's log.
struct WebLine {
    var address: String
    /// When the line is written, in milliseconds.
    var time: Int
    var method = "GET"
    /// Path and query.
    var target: String
    var status = "200"
    var size = "0"
    var referer = "-"
    var agent: String

    /// In the format `combined`. (An interpolation would take a fifth of all time.)
    func text(time: String) -> Bytes {
        let words = [
            address, " - - [", time, "] \"", method, " ", target, " HTTP/1.1\" ", status, " ", size, " \"", referer,
            "\" \"", agent, "\"\n",
        ]
        return words.reduce(into: Bytes()) { $0.append(contentsOf: $1.utf8) }
    }
}

extension SplitMix64 {
    /// True `count` times in a thousand.
    mutating func perMille(_ count: Int) -> Bool { below(1000) < count }
}

extension UInt64 {
    /// In hexadecimal.
    var sixteenDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
