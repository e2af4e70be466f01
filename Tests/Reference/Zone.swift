import Foundation
import Synchronization

/// A time zone as the system's `zdump` prints it.
package struct Zone: Sendable {
    private struct Change {
        /// When the clocks are changed, in seconds.
        let start: Int
        /// Seconds east of Greenwich from then on.
        let offset: Int
        /// Such as `CEST`, or `+03`.
        let abbreviation: String
    }

    private static let year2090 = Day("2090-01-01")!.number * 86_400

    /// The years from 2129 to 2499: a year that has the same days, and the seconds from that to this. The last rule of any zone
    /// starts before 2090, and what it does in a year depends on the year's days. `zdump` takes long for late years.
    private static let lateYears: [(model: Range<Int>, seconds: Int)] = {
        let starts = (2101...2500).map { Day(year: $0, month: 1, day: 1)!.number }
        let years = zip(starts, starts.dropFirst()).map { $0..<$1 }
        // 28 years without an exception of the leap years have all kinds of years.
        return years.dropFirst(28).map { year in
            let model = years.first { $0.count == year.count && (year.lowerBound - $0.lowerBound) % 7 == 0 } ?? year
            let seconds = (year.lowerBound - model.lowerBound) * 86_400
            return (model.lowerBound * 86_400..<model.upperBound * 86_400, seconds)
        }
    }()

    private static let known = Mutex<[String: Zone]>([:])

    /// In order. The first is before all times.
    private let changes: [Change]

    package init(_ name: String) {
        self = Zone.known.withLock { known in
            let zone = known[name] ?? Zone(printedBy: "zdump -i -c 1840,2129 '\(name)'")
            known[name] = zone
            return zone
        }
    }

    /// Reads lines such as these, whose fields are the date and time that the clocks are set to, their offset, and their
    /// abbreviation, if it is another text:
    ///
    ///     -	-	-001444	LMT
    ///     1901-01-01	00	+00	WET
    ///     1918-04-16	00	+01	WEST	1
    private init(printedBy command: String) {
        guard let output = popen(command, "r") else { fatalError("\(command): \(errno)") }
        var bytes: [UInt8] = []
        while case let byte = getc(output), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        pclose(output)
        let text = String(decoding: bytes, as: UTF8.self)
        var changes: [Change] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 3 else { continue }
            // "-0430" or "+01" has the shape of "04:30:00" after its sign.
            let digits = Array(fields[2].dropFirst() + "0000")
            let length = Zone.seconds([digits[0..<2], digits[2..<4], digits[4..<6]].map { String($0) })
            let offset = fields[2].first == "-" ? -length : length
            let clock = Zone.seconds((fields[1] + ":00:00").split(separator: ":").map { String($0) })
            let start = Day(String(fields[0])).map { $0.number * 86_400 + clock - offset }
            let name = fields.count > 3 && !fields[3].isEmpty ? fields[3] : fields[2]
            changes.append(Change(start: start ?? .min, offset: offset, abbreviation: String(name)))
        }
        precondition(!changes.isEmpty, "\(command) has printed \(text)")
        let printed = changes
        for (model, seconds) in Zone.lateYears {
            for change in printed where model.contains(change.start) {
                changes.append(
                    Change(start: change.start + seconds, offset: change.offset, abbreviation: change.abbreviation))
            }
        }
        self.changes = changes
    }

    /// Of hours, minutes and seconds.
    private static func seconds(_ parts: [String]) -> Int {
        zip(parts, [3600, 60, 1]).reduce(0) { $0 + (Int($1.0) ?? 0) * $1.1 }
    }

    /// Seconds east of Greenwich at a time in seconds.
    package func offset(at seconds: Int) -> Int { change(at: seconds).offset }

    /// What people call the clocks' time at a time in seconds.
    package func abbreviation(at seconds: Int) -> String { change(at: seconds).abbreviation }

    private func change(at seconds: Int) -> Change {
        // Rules repeat after 400 years, which are a whole number of weeks. The last rule of any zone starts before 2090.
        let since2090 = seconds - Zone.year2090
        let time = since2090 < 0 ? seconds : Zone.year2090 + since2090 % (146_097 * 86_400)
        var (first, end) = (0, changes.count)
        while end - first > 1 {
            let middle = (first + end) / 2
            if changes[middle].start <= time { first = middle } else { end = middle }
        }
        return changes[first]
    }

    /// The day of a time in milliseconds.
    package func day(of milliseconds: Int) -> Day {
        local(of: milliseconds).day
    }

    /// What clocks show at a time in milliseconds.
    package func local(of milliseconds: Int) -> LocalTime {
        // A year that does not have four digits is moved to the nearest that has, in UTC and in local time.
        let seconds = min(max(floored(milliseconds, by: 1000), -719_528 * 86_400), 2_932_897 * 86_400 - 1)
        let offset = offset(at: seconds)
        let shown = min(max(seconds + offset, -719_528 * 86_400), 2_932_897 * 86_400 - 1)
        let hours = floored(shown, by: 3600)
        let day = Day(number: floored(shown, by: 86_400))
        return LocalTime(day: day, hour: hours - day.number * 24, hourEpoch: hours * 3600 - offset)
    }

    /// The time at which clocks show `local`, in seconds since 1970-01-01 00:00 as if in UTC. If they show it twice,
    /// the earlier time. If they never show it, the time by the offset before the gap.
    package func seconds(local: Int) -> Int {
        let offsets = Set((-48...48).map { offset(at: local + $0 * 3600) })
        let times = offsets.map { local - $0 }.filter { $0 + offset(at: $0) == local }
        if let earliest = times.min() { return earliest }
        var time = local - 48 * 3600
        while time + 60 + offset(at: time + 60) <= local { time += 60 }
        return local - offset(at: time)
    }

    /// 00:00 of a day, in seconds.
    package func start(of day: Day) -> Int {
        seconds(local: day.number * 86_400)
    }
}
