import Calendar
import Reference

/// Every push message that was ever sent here. A message hangs only on the seed, its date, its pool and its index,
/// so that a later date, another host or another kind can speak of it without having seen it.
struct Universe: Sendable {
    let plan: Plan
    private let agents: UserAgents
    let campaigns: Int
    private let triggered: Popularity
    /// By weekday.
    private let shapes: [DayShape]
    /// The records of each pool, by weekday.
    private let recordsOfPools: [[Int]]
    private let rangeBits: Int
    private let pools: Int

    /// Whose records first speak of a message.
    enum Pool: Sendable {
        /// A file's, by its number.
        case file(Plan.Kind, Int)
        /// Hits that every collector file of a date carries, as two log shippers do.
        case shipped
    }

    init(plan: Plan) {
        self.plan = plan
        agents = UserAgents(count: plan.userAgents)
        let campaigns = Campaign.count(ofDeliveries: plan.deliveries)
        self.campaigns = campaigns
        triggered = Popularity(count: max(1, plan.deliveries - campaigns))
        shapes = (0..<7).map { DayShape(weekday: $0, campaigns: campaigns) }
        recordsOfPools = (0..<7).map { weekday in
            let files = plan.kinds.flatMap { kind in
                (0..<plan.filesPerKind).map { plan.records(of: kind, on: weekday, inFile: $0) }
            }
            return files.map { max(1, $0) } + [max(1, plan.shippedHits(on: weekday))]
        }
        pools = plan.filesPerKind * plan.kinds.count + 1
        let largest = recordsOfPools.joined().max() ?? 1
        let slots = UInt64(largest + 1) * UInt64(pools)
        rangeBits = min(30, max(20, 64 - slots.leadingZeroBitCount))
    }

    func shape(of date: LogDate) -> DayShape {
        shapes[date.weekday]
    }

    /// How many records the file of a pool has on a date, at least 1. `message` takes an index below it.
    func records(of pool: Pool, on date: LogDate) -> Int {
        recordsOfPools[date.weekday][number(of: pool)]
    }

    /// The message that the record at `index` of a pool's file is the first to speak of.
    func message(_ date: LogDate, _ pool: Pool, _ index: Int) -> Message {
        let slot = UInt64(index * pools + number(of: pool))
        let place = SplitMix64.mix(plan.seed &+ UInt64(bitPattern: Int64(date.dayNumber)) &* 0x9E37_79B9_7F4A_7C15)
        let bits = SplitMix64.mix(place ^ slot)
        let more = SplitMix64.mix(bits ^ 0xA5A5_A5A5_A5A5_A5A5)
        let acting = SplitMix64.mix(more ^ 3)
        let agent = agents.agent(for: more)
        let rank = rank(date, bucket: bucket(date, pool, index), bits: bits)
        let chain = Message.chain(for: Int(more >> 40) % 100)
        let isOpened = Int(acting % 10_000) < likelihood(date, rank: rank, platform: agent.platform)
        return Message(
            id: id(date, slot: slot, bits: bits),
            date: date,
            delivery: delivery(date, rank: rank),
            rank: rank,
            agent: agent,
            mcID: plan.hasMcIDs || agent.isSDK ? SplitMix64.mix(more ^ 1) | 1 : 0,
            address: UInt32(truncatingIfNeeded: bits >> 3),
            chain: isOpened || !Message.opens(chain) ? chain : 0x7,
            delay: DelayCurve.opening.delay(for: acting >> 20))
    }

    /// The bucket of the day in which the record at `index` of a pool's file is written.
    func bucket(_ date: LogDate, _ pool: Pool, _ index: Int) -> Int {
        let records = records(of: pool, on: date)
        return shape(of: date).bucket(at: ((index % records) << 32) / records)
    }

    private func rank(_ date: LogDate, bucket: Int, bits: UInt64) -> Int {
        let rank = shape(of: date).rank(in: bucket, bits: bits >> 40)
        let isLost = plan.fails(date, rank: Int(rank))
        if rank != DayShape.triggered, !isLost || (bits >> 50) % Plan.lostPerArrival == 0 { return Int(rank) }
        return plan.deliveries > campaigns ? campaigns + triggered.rank(for: bits >> 20) : 0
    }

    /// Of 10,000 people who open what they like, those who open this. On Android they get fewer with each date: think of
    /// an app whose new version loses the opens of some.
    private func likelihood(_ date: LogDate, rank: Int, platform: String) -> Int {
        let appeal = rank < campaigns ? Campaign.all[rank].appeal : 85
        guard platform == "android" else { return appeal * 100 }
        let dates = plan.lastDate.dayNumber - plan.firstDate.dayNumber
        let passed = min(max(0, date.dayNumber - plan.firstDate.dayNumber), dates)
        return appeal * (dates == 0 ? 100 : 100 - 55 * passed / dates)
    }

    /// Delivery ids grow with the date as well.
    func delivery(_ date: LogDate, rank: Int) -> UInt64 {
        let sinceStart = max(0, date.dayNumber - Self.firstDay)
        return UInt64(0x2_0000 + (sinceStart * plan.deliveries + rank) * 11)
    }

    /// 2026-01-01, in days since 1970.
    private static let firstDay = 20_454

    private func number(of pool: Pool) -> Int {
        guard case .file(let kind, let number) = pool else { return pools - 1 }
        return (plan.kinds.firstIndex(of: kind) ?? 0) * plan.filesPerKind + number
    }

    private func id(_ date: LogDate, slot: UInt64, bits: UInt64) -> Message.ID {
        switch plan.ids {
        case .uuid: return .uuid(bits, SplitMix64.mix(bits ^ 2))
        case .mixed where bits & 1 == 0: return .uuid(bits, SplitMix64.mix(bits ^ 2))
        case .random: return .hex(max(1, SplitMix64.mix(bits) >> 32))
        case .hex, .mixed:
            // The recipients of a date share a range; they act in no order, hence the scattering, which maps
            // each slot to another place. Like the sequences of real databases the ranges wrap after 32 bits.
            let mask: UInt64 = (1 << UInt64(rangeBits)) - 1
            var scattered = (slot &* 0x9E37_79B1) & mask
            scattered ^= scattered >> UInt64(rangeBits / 2)
            scattered = (scattered &* 0x85EB_CA6B) & mask
            let range = UInt64(max(0, date.dayNumber - Self.firstDay) + 16) << UInt64(rangeBits)
            return .hex(max(1, (range | scattered) & 0xFFFF_FFFF))
        }
    }
}
