private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/// Writes a time in every form of a layout or a payload.
package struct GeneratedTime {
    var milliseconds: Int
    var zone: Zone

    package init(milliseconds: Int, zone: Zone) {
        self.milliseconds = milliseconds
        self.zone = zone
    }

    /// What clocks show that are `offset` seconds ahead of UTC.
    package func clock(offset: Int) -> (day: Day, time: String, milliseconds: Int) {
        let seconds = floored(milliseconds, by: 1000)
        let local = seconds + offset
        let day = Day(number: floored(local, by: 86_400))
        let rest = local - day.number * 86_400
        let time = "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
        return (day, time, milliseconds - seconds * 1000)
    }

    func offset(_ random: inout SplitMix64) -> Int {
        let own = floored(zone.offset(at: floored(milliseconds, by: 1000)), by: 60) * 60
        return random.chance(60) ? own : random.pick([0, 3600, -18_000, 19_800, 45_900, -34_200])
    }

    func offsetText(_ offset: Int, colon: String, _ random: inout SplitMix64) -> String {
        let size = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + padded(size / 60, 2) + colon + padded(size % 60, 2)
    }

    func timeLocal(_ random: inout SplitMix64) -> String {
        let hasOffset = random.chance(85)
        let own = zone.offset(at: floored(milliseconds, by: 1000))
        let offset = hasOffset ? offset(&random) : own
        let (day, time, rest) = clock(offset: offset)
        let parts = day.parts
        let date = "\(padded(parts.day, 2))/\(months[parts.month - 1])/\(padded(parts.year, 4))"
        let hasFraction = random.chance(rest == 0 ? 5 : 50)
        let fraction = hasFraction ? "." + padded(rest, 3) + random.pick(["", "", "7", "000999"]) : ""
        return "\(date):\(time)\(fraction)" + (hasOffset ? " " + offsetText(offset, colon: "", &random) : "")
    }

    func iso8601(defaultOffset: Int?, _ random: inout SplitMix64) -> String {
        let hasOffset = random.chance(85)
        let own = defaultOffset ?? zone.offset(at: floored(milliseconds, by: 1000))
        let offset = hasOffset ? offset(&random) : own
        let (day, time, rest) = clock(offset: offset)
        var text = "\(day)" + (random.chance(80) ? "T" : " ") + time
        if rest != 0 || random.chance(20) {
            text += random.pick([".", ".", ":"]) + padded(rest, 3) + random.pick(["", "", "9", "999999"])
        }
        guard hasOffset else { return text }
        if offset == 0, random.chance(60) { return text + "Z" }
        if offset % 3600 == 0, random.chance(20) {
            return text + String(offsetText(offset, colon: "", &random).prefix(3))
        }
        return text + offsetText(offset, colon: random.pick(["", ":"]), &random)
    }

    func msec() -> String {
        let (seconds, rest) = (floored(milliseconds, by: 1000), milliseconds)
        return seconds < 0 ? "0.000" : "\(seconds).\(padded(rest - seconds * 1000, 3))"
    }

    /// The date and the time of day in UTC, in two texts.
    func utc(_ random: inout SplitMix64) -> (date: String, time: String) {
        let (day, time, rest) = clock(offset: 0)
        let hasFraction = rest != 0 || random.chance(10)
        return ("\(day)", time + (hasFraction ? "." + padded(rest, 3) + random.pick(["", "", "9"]) : ""))
    }
}
