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

/// The spellings of a time in JSON.
enum TimeText: CaseIterable {
    case zulu, offset, fraction, brazePattern, shortOffset, seconds, milliseconds
    // Rarer ones.
    case zoneless, decimalText, dateAlone, nanoseconds, decimal, west, exponent, millisecondText

    static let common: [TimeText] = [.zulu, .offset, .fraction, .brazePattern, .shortOffset, .seconds, .milliseconds]

    /// The JSON text of a time, and the time that it says, in milliseconds.
    func spell(_ milliseconds: Int) -> (json: String, time: Int) {
        let second = floorDivide(milliseconds, 1000)
        let rest = padded(milliseconds - second * 1000, 3)
        let whole = second * 1000
        switch self {
        case .zulu: return ("\"\(clock(second))Z\"", whole)
        case .offset: return ("\"\(clock(second + 3600))+01:00\"", whole)
        case .fraction: return ("\"\(clock(second)).\(rest)Z\"", milliseconds)
        case .brazePattern: return ("\"\(clock(second + 3600)):\(rest)+0100\"", milliseconds)
        case .shortOffset: return ("\"\(clock(second + 7200))+02\"", whole)
        case .seconds: return (String(second), whole)
        case .milliseconds: return (String(milliseconds), milliseconds)
        case .zoneless: return ("\"\(clock(second, separator: " "))\"", whole)
        case .decimalText: return ("\"\(second).\(rest)\"", milliseconds)
        case .dateAlone:
            let day = floorDivide(second, 86_400)
            return ("\"\(Day(number: day).text)\"", day * 86_400_000)
        case .nanoseconds: return ("\"\(clock(second)).\(rest)987654Z\"", milliseconds)
        case .decimal: return ("\(second).\(rest)9", milliseconds)
        case .west: return ("\"\(clock(second - 18_000)).\(rest)-05:00\"", milliseconds)
        case .exponent: return ("\(second).\(rest)e0", milliseconds)
        case .millisecondText: return ("\"\(milliseconds)\"", milliseconds)
        }
    }

    private func clock(_ second: Int, separator: String = "T") -> String {
        let day = floorDivide(second, 86_400)
        let ofDay = second - day * 86_400
        return Day(number: day).text + separator
            + "\(padded(ofDay / 3600, 2)):\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2))"
    }
}
