import Calendar
import Reference

/// Which time counts for a record that brings its own, by the device's or the sender's clock.
struct PayloadTimes: Sendable {
    private let start: Int
    private let believed: Range<Int>

    init(plan: Plan, date: LogDate) {
        start = plan.zone.start(of: date) * 1000
        let end = plan.zone.start(of: date.adding(days: 1)) * 1000
        believed = start - plan.windowDays * 86_400_000..<end + 86_400_000
    }

    /// The time in milliseconds and whether the clock was not believed; nil if there is no time at all.
    func settle(payload: Int?, receipt: Int?) -> (time: Int, clockFallback: Bool)? {
        let receipt = receipt.map { floored($0, by: 1000) * 1000 }
        guard let payload else { return receipt.map { ($0, false) } }
        return believed.contains(payload) ? (payload, false) : (receipt ?? start, true)
    }
}
