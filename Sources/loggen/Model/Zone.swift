import Foundation

/// A time zone, its offsets looked up once for every quarter of an hour in reach of the dates.
struct Zone: Sendable {
    let name: String
    private let zone: TimeZone
    private let firstQuarter: Int
    private let offsets: [Int]

    init?(_ name: String, covering dates: ClosedRange<Day>) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
        firstQuarter = (dates.lowerBound.number - 3) * 96
        offsets = (firstQuarter..<(dates.upperBound.number + 4) * 96).map {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0 * 900)))
        }
    }

    /// Seconds east of Greenwich at an instant.
    func offset(at seconds: Int) -> Int {
        let index = floorDivide(seconds, 900) - firstQuarter
        if offsets.indices.contains(index) { return offsets[index] }
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    /// The first instant of a day, in seconds.
    func start(of day: Day) -> Int {
        let midnight = day.number * 86_400
        let before = midnight - offset(at: midnight - 43_200)
        let after = midnight - offset(at: before)
        return self.day(at: after) == day ? after : before
    }

    func day(at seconds: Int) -> Day {
        Day(number: floorDivide(seconds + offset(at: seconds), 86_400))
    }

    /// Whether the clocks are turned near an instant, so that a local time alone could mean two of them.
    func turns(near seconds: Int) -> Bool {
        offset(at: seconds - 10_800) != offset(at: seconds + 10_800)
    }
}
