private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/// Writes a time in every form of a layout or a payload.
package struct GeneratedTime {
    /// How a server writes all its times.
    struct Style {
        let hasOffset: Bool
        /// What follows the milliseconds; nil without a fraction.
        let afterMilliseconds: String?

        init(_ random: inout SplitMix64) {
            hasOffset = random.chance(40)
            afterMilliseconds = random.pick([nil, "", "78", "78", "78", "000999"])
        }
    }

    var milliseconds: Int
    var zone: Zone

    package init(milliseconds: Int, zone: Zone) {
        self.milliseconds = milliseconds
        self.zone = zone
    }

    var seconds: Int { floored(milliseconds, by: 1000) }

    /// The offset of its own zone.
    var ownOffset: Int { zone.offset(at: seconds) }

    /// What clocks show that are `offset` seconds ahead of UTC.
    func clock(offset: Int) -> (day: Day, time: String, milliseconds: Int) {
        let local = seconds + offset
        let day = Day(number: floored(local, by: 86_400))
        let rest = local - day.number * 86_400
        let time = "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
        return (day, time, milliseconds - seconds * 1000)
    }

    func offset(_ random: inout SplitMix64) -> Int {
        let own = floored(ownOffset, by: 60) * 60
        return random.chance(60) ? own : random.pick([0, 3600, -18_000, 19_800, 45_900, -34_200])
    }

    /// - Parameter style: nil if each time has its own.
    func timeLocal(style: Style? = nil, _ random: inout SplitMix64) -> String {
        let hasOffset = style?.hasOffset ?? random.chance(85)
        let offset = hasOffset ? offset(&random) : ownOffset
        let (day, time, rest) = clock(offset: offset)
        let parts = day.parts
        let date = "\(padded(parts.day, 2))/\(months[parts.month - 1])/\(padded(parts.year, 4))"
        let ownDigits = random.chance(rest == 0 ? 5 : 50) ? random.pick(["", "78", "7", "000999"]) : nil
        let digits = style.map(\.afterMilliseconds) ?? ownDigits
        let fraction = digits.map { "." + padded(rest, 3) + $0 } ?? ""
        return "\(date):\(time)\(fraction)" + (hasOffset ? " " + offsetText(offset) : "")
    }

    package func iso8601(defaultOffset: Int?, _ random: inout SplitMix64) -> String {
        let hasOffset = random.chance(85)
        let offset = hasOffset ? offset(&random) : defaultOffset ?? ownOffset
        let (day, time, rest) = clock(offset: offset)
        var text = "\(day)" + (random.chance(80) ? "T" : " ") + time
        if rest != 0 || random.chance(20) {
            text += random.pick([".", ".", ":"]) + padded(rest, 3) + random.pick(["", "", "9", "999999"])
        }
        guard hasOffset else { return text }
        if offset == 0, random.chance(60) { return text + "Z" }
        if offset % 3600 == 0, random.chance(20) {
            return text + String(offsetText(offset).prefix(3))
        }
        return text + offsetText(offset, colon: random.pick(["", ":"]))
    }

    /// As databases write times: `2026-11-19 10:00:00 UTC`, `20261119100000` and the like.
    func ofDatabase(defaultOffset: Int?, _ random: inout SplitMix64) -> String {
        if random.chance(25) {
            let (day, time, _) = clock(offset: defaultOffset ?? ownOffset)
            return "\(day)\(time)".filter { $0 != "-" && $0 != ":" }
        }
        let (day, time, rest) = clock(offset: 0)
        let fraction = rest == 0 ? "" : "." + padded(rest, 3)
        return "\(day)\(random.pick(["T", " "]))\(time)\(fraction)"
            + random.pick([
                " UTC", "UTC", " GMT", "GMT", " Z", " +00", " +0000", " -00:00", " utc", "  UTC", " ", " CET",
            ])
    }

    func msec() -> String {
        seconds < 0 ? "0.000" : "\(seconds).\(padded(milliseconds - seconds * 1000, 3))"
    }

    /// The date and the time of day in UTC, in two texts.
    func utc(_ random: inout SplitMix64) -> (date: String, time: String) {
        let (day, time, rest) = clock(offset: 0)
        let hasFraction = rest != 0 || random.chance(10)
        return ("\(day)", time + (hasFraction ? "." + padded(rest, 3) + random.pick(["", "", "9"]) : ""))
    }
}

/// Such as `-0330`.
private func offsetText(_ offset: Int, colon: String = "") -> String {
    let size = abs(offset) / 60
    return (offset < 0 ? "-" : "+") + padded(size / 60, 2) + colon + padded(size % 60, 2)
}

/// What Apache writes for a `%{…}t`.
package struct GeneratedApacheTime {
    private let time: GeneratedTime
    private var offset: Int
    private var zoneName: String

    /// With the offset and the zone's name of the time's own zone.
    package init(_ time: GeneratedTime) {
        self.time = time
        offset = time.ownOffset
        zoneName = time.zone.abbreviation(at: time.seconds)
    }

    /// - Parameter hasOffset: whether the format tells the offset. Otherwise it is that of the pipeline's zone.
    init(_ time: GeneratedTime, hasOffset: Bool, _ random: inout SplitMix64) {
        self.init(time)
        if hasOffset { offset = time.offset(&random) }
        let other = time.zone.abbreviation(at: time.seconds + random.pick([-86_400, 86_400, 7_776_000]))
        zoneName = random.pick(
            random.chance(70)
                ? ["UTC", "GMT", "Z", "+07", "-0330"]
                : [other, "CET", "a-1", "Q/Q", "+24", "W. Europe Time", "Line ]s", "a at b", "C:T"])
    }

    package func text(_ format: String) -> String {
        let rest = time.clock(offset: 0).milliseconds
        switch format {
        case "sec": return "\(max(0, time.seconds))"
        case "msec": return "\(max(0, time.milliseconds))"
        case "usec": return "\(max(0, time.milliseconds))999"
        case "msec_frac": return padded(rest, 3)
        case "usec_frac": return padded(rest, 3) + "500"
        default: break
        }
        var text = ""
        var isConversion = false
        for character in format {
            if isConversion {
                text += conversion(character)
                isConversion = false
            } else if character == "%" {
                isConversion = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    private func conversion(_ letter: Character) -> String {
        let (day, clock, _) = time.clock(offset: offset)
        let parts = day.parts
        func spaced(_ number: Int) -> String { number < 10 ? " \(number)" : "\(number)" }
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let weekday = names[day.number - floored(day.number, by: 7) * 7]
        switch letter {
        case "Y": return padded(parts.year, 4)
        case "y": return padded(parts.year % 100, 2)
        case "m": return padded(parts.month, 2)
        case "b", "h": return months[parts.month - 1]
        case "d": return padded(parts.day, 2)
        case "e": return spaced(parts.day)
        case "j": return padded(day.number - (Day(year: parts.year, month: 1, day: 1)?.number ?? 0) + 1, 3)
        case "a": return String(weekday.prefix(3))
        case "A": return weekday
        case "H": return String(clock.prefix(2))
        case "k": return spaced(Int(clock.prefix(2)) ?? 0)
        case "M": return String(clock.dropFirst(3).prefix(2))
        case "S": return String(clock.suffix(2))
        case "s": return "\(max(0, time.seconds))"
        case "z": return offsetText(offset)
        case "Z": return zoneName
        case "F": return conversion("Y") + "-" + conversion("m") + "-" + conversion("d")
        case "D": return conversion("m") + "/" + conversion("d") + "/" + conversion("y")
        case "T": return clock
        case "R": return String(clock.prefix(5))
        case "t": return "\t"
        default: return String(letter)
        }
    }
}
