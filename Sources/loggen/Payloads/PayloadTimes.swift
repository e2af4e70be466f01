/// Which time counts for a record that brings its own, by the device's or the sender's clock.
struct PayloadTimes: Sendable {
    private let start: Int
    private let earliest: Int
    private let end: Int

    init(plan: Plan, date: Day) {
        start = plan.zone.start(of: date) * 1000
        earliest = start - plan.windowDays * 86_400_000
        end = plan.zone.start(of: date + 1) * 1000 + 86_400_000
    }

    /// The time in milliseconds and whether the clock was not believed; nil if there is no time at all.
    func settle(payload: Int?, receipt: Int?) -> (time: Int, clockFallback: Bool)? {
        let receipt = receipt.map { floorDivide($0, 1000) * 1000 }
        guard let payload else { return receipt.map { ($0, false) } }
        if (earliest..<end).contains(payload) { return (payload, false) }
        return (receipt ?? start, true)
    }
}
