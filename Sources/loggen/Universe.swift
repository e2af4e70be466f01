import Reference

/// Every push message that was ever sent here. A message hangs only on the seed, its date, its pool and its index,
/// so that a later date, another host or another kind can speak of it without having seen it.
///
/// A pool is the messages of which a file of each date is the first to speak; those of the collector's files come first.
/// The last pool has the hits that every collector file of a date carries.
struct Universe: Sendable {
    let plan: Plan
    let zone: Zone
    let campaigns: Int
    private let agents: UserAgents
    private let triggered: Popularity
    /// By weekday.
    private let shapes: [DayShape]
    /// The records of each pool, by weekday.
    private let recordsOfPools: [[Int]]
    private let rangeBits: Int
    private let pools: Int
    // Of the plan, which is slow to ask.
    private let (seed, ids, deliveries, hasMcIDs): (UInt64, Plan.IDForm, Int, Bool)
    private let (first, last): (Day, Day)

    init(plan: Plan) {
        self.plan = plan
        zone = Zone(Plan.timeZone)
        (seed, ids, deliveries, hasMcIDs) = (plan.seed, plan.idForm, plan.deliveries, plan.hasMcIDs)
        (first, last) = (plan.from, plan.lastDate)
        agents = UserAgents(count: plan.agentCount)
        let campaigns = max(1, min(Campaign.all.count, plan.deliveries * 3 / 4))
        self.campaigns = campaigns
        triggered = Popularity(count: max(1, plan.deliveries - campaigns))
        shapes = (0..<7).map { DayShape(weekday: $0, campaigns: campaigns) }
        recordsOfPools = (0..<7).map { weekday in
            (plan.records(on: weekday) + [plan.shippedHits(on: weekday)]).map { max(1, $0) }
        }
        pools = recordsOfPools[0].count
        let slots = UInt64((recordsOfPools.joined().max() ?? 1) + 1) * UInt64(pools)
        rangeBits = min(30, max(20, 64 - slots.leadingZeroBitCount))
    }

    func shape(of date: Day) -> DayShape { shapes[date.weekday] }

    var shippedPool: Int { pools - 1 }

    /// How many records the file of a pool has on a date, at least 1. `message` takes an index below it.
    func records(of pool: Int, on date: Day) -> Int { recordsOfPools[date.weekday][pool] }

    /// The message that the record at `index` of a pool's file is the first to speak of.
    func message(_ date: Day, _ pool: Int, _ index: Int) -> Message {
        let slot = UInt64(index * pools + pool)
        let place = SplitMix64.mix(seed &+ UInt64(bitPattern: Int64(date.number)) &* 0x9E37_79B9_7F4A_7C15)
        let bits = SplitMix64.mix(place ^ slot)
        let more = SplitMix64.mix(bits ^ 0xA5A5_A5A5_A5A5_A5A5)
        let acting = SplitMix64.mix(more ^ 3)
        let agent = agents.agent(for: more)
        let rank = rank(date, bucket: bucket(date, pool, index), bits: bits)
        let chain = Message.chain(for: Int(more >> 40) % 100)
        let isOpened = Int(acting % 10_000) < likelihood(date, rank: rank, platform: agent.platform)
        return Message(
            id: id(date, slot: slot, bits: bits),
            delivery: delivery(date, rank: rank),
            rank: rank,
            agent: agent,
            mcID: hasMcIDs || agent.isSDK ? SplitMix64.mix(more ^ 1) | 1 : 0,
            address: UInt32(truncatingIfNeeded: bits >> 3),
            chain: isOpened || !Message.opens(chain) ? chain : 0x7,
            delay: DelayCurve.opening.delay(for: acting >> 20))
    }

    /// The bucket of the day in which the record at `index` of a pool's file is written.
    func bucket(_ date: Day, _ pool: Int, _ index: Int) -> Int {
        let records = records(of: pool, on: date)
        return shape(of: date).bucket(at: ((index % records) << 32) / records)
    }

    /// Whether a delivery fails: one of the middle date, if there are enough to do without it.
    func fails(_ date: Day, rank: Int) -> Bool {
        rank == 3 && date.number == first.number + (last.number - first.number) / 2 && rank < campaigns
            && deliveries > 4
    }

    private func rank(_ date: Day, bucket: Int, bits: UInt64) -> Int {
        let rank = shape(of: date).rank(in: bucket, bits: bits >> 40)
        // Of a delivery that fails, one message in forty arrives.
        let isLost = fails(date, rank: rank) && (bits >> 50) % 40 != 0
        if rank < campaigns, !isLost { return rank }
        return deliveries > campaigns ? campaigns + triggered.rank(for: bits >> 20) : 0
    }

    /// Of 10,000 people who open what they like, those who open this. On Android they get fewer with each date: think of
    /// an app whose new version loses the opens of some.
    private func likelihood(_ date: Day, rank: Int, platform: String) -> Int {
        let appeal = rank < campaigns ? Campaign.all[rank].appeal : 85
        guard platform == "android" else { return appeal * 100 }
        let dates = last.number - first.number
        let passed = min(max(0, date.number - first.number), dates)
        return appeal * (dates == 0 ? 100 : 100 - 55 * passed / dates)
    }

    /// Delivery ids grow with the date as well.
    func delivery(_ date: Day, rank: Int) -> UInt64 {
        UInt64(0x2_0000 + (daysSinceStart(date) * deliveries + rank) * 11)
    }

    /// The days since 2026-01-01.
    private func daysSinceStart(_ date: Day) -> Int { max(0, date.number - 20_454) }

    private func id(_ date: Day, slot: UInt64, bits: UInt64) -> String {
        if ids == .uuid || ids == .mixed && bits & 1 == 0 {
            let (first, last) = (bits.sixteenDigits, SplitMix64.mix(bits ^ 2).sixteenDigits)
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
