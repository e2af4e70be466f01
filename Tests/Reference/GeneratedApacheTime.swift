/// What Apache writes for a `%{…}t`.
package struct GeneratedApacheTime {
    private let milliseconds: Int
    private var offset: Int
    private var zoneName: String

    /// With the offset and the zone's name of the time's own zone.
    package init(_ time: GeneratedTime) {
        milliseconds = time.milliseconds
        offset = time.zone.offset(at: floored(milliseconds, by: 1000))
        zoneName = time.zone.abbreviation(at: floored(milliseconds, by: 1000))
    }

    /// - Parameter hasOffset: whether the format tells the offset. Otherwise it is that of the pipeline's zone.
    init(_ time: GeneratedTime, hasOffset: Bool, _ random: inout SplitMix64) {
        self.init(time)
        if hasOffset { offset = time.offset(&random) }
        let other = time.zone.abbreviation(
            at: floored(milliseconds, by: 1000) + random.pick([-86_400, 86_400, 7_776_000]))
        zoneName = random.pick(
            random.chance(70) ? ["UTC", "GMT", "Z", "+07", "-0330"] : [other, "CET", "a-1", "Q/Q", "+24"])
    }

    package func text(_ format: String) -> String {
        let seconds = floored(milliseconds, by: 1000)
        let rest = milliseconds - seconds * 1000
        switch format {
        case "sec": return "\(max(0, seconds))"
        case "msec": return "\(max(0, milliseconds))"
        case "usec": return "\(max(0, milliseconds))999"
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
        let seconds = floored(milliseconds, by: 1000)
        let local = seconds + offset
        let day = Day(number: floored(local, by: 86_400))
        let ofDay = local - day.number * 86_400
        let (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
        let parts = day.parts
        func spaced(_ number: Int) -> String { number < 10 ? " \(number)" : "\(number)" }
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let weekday = names[day.number - floored(day.number, by: 7) * 7]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        switch letter {
        case "Y": return padded(parts.year, 4)
        case "y": return padded(parts.year % 100, 2)
        case "m": return padded(parts.month, 2)
        case "b", "h": return String(months[parts.month - 1].prefix(3))
        case "d": return padded(parts.day, 2)
        case "e": return spaced(parts.day)
        case "j": return padded(day.number - (Day(year: parts.year, month: 1, day: 1)?.number ?? 0) + 1, 3)
        case "a": return String(weekday.prefix(3))
        case "A": return weekday
        case "H": return padded(hour, 2)
        case "k": return spaced(hour)
        case "M": return padded(minute, 2)
        case "S": return padded(second, 2)
        case "s": return "\(max(0, seconds))"
        case "z":
            let size = abs(offset) / 60
            return (offset < 0 ? "-" : "+") + padded(size / 60, 2) + padded(size % 60, 2)
        case "Z": return zoneName
        case "F": return conversion("Y") + "-" + conversion("m") + "-" + conversion("d")
        case "D": return conversion("m") + "/" + conversion("d") + "/" + conversion("y")
        case "T": return conversion("R") + ":" + conversion("S")
        case "R": return conversion("H") + ":" + conversion("M")
        case "t": return "\t"
        default: return String(letter)
        }
    }
}
