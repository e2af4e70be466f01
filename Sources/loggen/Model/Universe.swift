/// Every push message that was ever sent here. A message hangs only on the seed, its date, its pool and its index,
/// so that a later date, another host or another kind can speak of it without having seen it.
struct Universe: Sendable {
    let plan: Plan
    let agents: UserAgents
    private let popularity: Popularity
    private let rangeBits: Int
    private let pools: Int

    /// Whose records first speak of a message.
    enum Pool {
        case collector(file: Int)
        /// Hits that every collector file of a date carries, as two log shippers do.
        case shipped
        case mzip(file: Int)
        case usersTrack(file: Int)
    }

    init(plan: Plan) {
        self.plan = plan
        agents = UserAgents(count: plan.userAgents)
        popularity = Popularity(count: plan.deliveries)
        pools = plan.filesPerKind * plan.kinds.count + 1
        let largest = plan.kinds.map { plan.records(of: $0) / plan.filesPerKind + 1 }.max() ?? 1
        let slots = UInt64(max(largest, 1)) * UInt64(pools)
        rangeBits = min(30, max(20, 64 - slots.leadingZeroBitCount))
    }

    func message(_ date: Day, _ pool: Pool, _ index: Int) -> Message {
        let slot = UInt64(index * pools + number(of: pool))
        let place = SplitMix64.mix(plan.seed &+ UInt64(bitPattern: Int64(date.number)) &* 0x9E37_79B9_7F4A_7C15)
        let bits = SplitMix64.mix(place ^ slot)
        let more = SplitMix64.mix(bits ^ 0xA5A5_A5A5_A5A5_A5A5)
        let agent = agents.index(for: more)
        let isSDK = agents.agents[agent].isSDK
        return Message(
            id: id(date, slot: slot, bits: bits),
            date: date,
            delivery: delivery(date, rank: popularity.rank(for: bits >> 20)),
            agent: agent,
            mcID: plan.mcID == .all || (plan.mcID == .sdk && isSDK) ? SplitMix64.mix(more ^ 1) | 1 : 0,
            address: UInt32(truncatingIfNeeded: bits >> 3),
            chain: Message.chain(for: Int(more >> 40) % 100))
    }

    /// Delivery ids grow with the date as well.
    func delivery(_ date: Day, rank: Int) -> UInt64 {
        let sinceStart = max(0, date.number - Self.firstDay.number)
        return UInt64(0x2_0000 + (sinceStart * plan.deliveries + rank) * 11)
    }

    private static let firstDay = Day(year: 2026, month: 1, day: 1)

    private func number(of pool: Pool) -> Int {
        let perKind = plan.filesPerKind
        func position(_ kind: Kind) -> Int { (plan.kinds.firstIndex(of: kind) ?? 0) * perKind }
        return switch pool {
        case .collector(let file): position(.collector) + file
        case .mzip(let file): position(.mzip) + file
        case .usersTrack(let file): position(.usersTrack) + file
        case .shipped: pools - 1
        }
    }

    private func id(_ date: Day, slot: UInt64, bits: UInt64) -> Message.ID {
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
            let range = UInt64(max(0, date.number - Self.firstDay.number) + 16) << UInt64(rangeBits)
            return .hex(max(1, (range | scattered) & 0xFFFF_FFFF))
        }
    }
}
