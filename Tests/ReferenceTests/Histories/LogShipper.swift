import Reference

/// Writes log files, rotates them, and damages them.
struct LogShipper {
    let dates: [Day]

    func files(of source: String, on date: Day, _ random: inout SplitMix64) -> HistoryStep {
        let name = "logs/\(source)/\(date)-\(random.pick(["a", "b"])).log"
        let lines = (0..<random.number(1...5)).map { _ in
            source == "adobe" ? hit(date, &random) : body(date, &random)
        }
        return HistoryStep(
            "mkdir -p logs/\(source); { \(lines.joined(separator: "; ")); } "
                + random.pick([">\(name)", ">\(name)", ">>\(name)", "| gzip -n >\(name).gz", "| gzip -n >>\(name).gz"]))
    }

    /// A file with many hits. A load that loses more than half of them is held back.
    func manyHits(_ count: Int, on date: Day, _ random: inout SplitMix64) -> HistoryStep {
        let parts = date.parts
        let time = "\(padded(parts.day, 2))/Nov/\(parts.year):10:00:00 +0000"
        let action = random.pick(["7", "7", "1"])
        return HistoryStep("mkdir -p logs/adobe; many \(count) '\(time)' \(action) >logs/adobe/\(date)-m.log")
    }

    private func id(_ random: inout SplitMix64) -> String { "\(random.number(1...6))" }

    private func time(_ date: Day, _ random: inout SplitMix64) -> (day: Day, text: String) {
        let day = Day(number: date.number + random.pick([0, 0, 0, 0, -1, 1, -2]))
        return (day, random.pick(["00:00:00", "10:00:00", "10:00:01", "10:20:00", "23:30:00"]))
    }

    private func hit(_ date: Day, _ random: inout SplitMix64) -> String {
        if random.chance(12) { return "echo 'no hit'" }
        let (day, time) = time(date, &random)
        let id = "h\(id(&random)),\(random.pick(["d1", "d2"])),\(random.pick(["7", "7", "2", "1"]))"
        let agent = random.pick(["-", "Dalvik/2 (Android 14)", "CFNetwork/1"])
        let parts = day.parts
        return "hits '\(padded(parts.day, 2))/Nov/\(parts.year):\(time) +0000' '\(id)' '\(agent)'"
    }

    private func body(_ date: Day, _ random: inout SplitMix64) -> String {
        if random.chance(12) { return "echo '{'" }
        let (day, time) = time(date, &random)
        let properties =
            "{\"broadlogId\": \"\(id(&random))\", \"deliveryId\": \"\(random.pick(["d1", "9"]))\", \"platform\": \"ios\"}"
        let event =
            "{\"name\": \"\(random.pick(["push_open", "push_click", "push_impression"]))\", \"time\": \"\(day)T\(time)Z\", \"properties\": \(properties)}"
        return "echo '{\"events\": [\(event)]}'"
    }

    /// What rotation does to loaded files: they have other names or other bytes, and the same lines.
    func rotate(_ random: inout SplitMix64) -> HistoryStep {
        let ways = (0..<random.number(1...3)).map { _ in
            let prefix = "logs/\(random.pick(["adobe", "braze"]))/\(random.pick(dates))"
            return "rotate \(random.pick(["number", "copy", "exchange", "plain", "gzip", "zstd", "members"])) \(prefix)"
        }
        return HistoryStep(ways.joined(separator: "; "), .rotation)
    }

    func change(_ random: inout SplitMix64) -> HistoryStep {
        let (source, date) = (random.pick(["adobe", "braze"]), random.pick(dates))
        let number = random.below(4)
        let file = "f=$(nth \(number) logs/\(source)/\(date)*); [ -f \"$f\" ] && "
        let other = "logs/\(source)/\(random.pick(dates))"
        return HistoryStep(
            random.pick([
                file + "rm \"$f\"", file + "rm \"$f\"", "rm -f logs/\(source)/\(date)*", file + "mv \"$f\" \"$f.1\"",
                file + "gzip -fn \"$f\"", file + "gunzip -f \"$f\"",
                file + "{ gzip -cdf \"$f\" | gzip -1n >packed; mv packed \"$f\"; }", file + "touch \"$f\"",
                file + "truncate -s -4 \"$f\"",
                "flip \"$(nth \(number) logs/\(source)/\(date)*)\" \(random.below(1000)) 1",
                "swap \"$(nth \(number) logs/\(source)/\(date)*)\" \"$(nth \(number) \(other)*)\"",
                file + "cp \"$f\" logs/\(source)/\(date)-copy.log", file + ": >\"$f\"",
                "printf 'PK\\3\\4' >logs/\(source)/\(date)-a.log", "ln -sf nowhere logs/\(source)/\(date)-c.log",
                "mkdir -p logs/\(source)/\(date)-d.log", "mkfifo logs/\(source)/\(date)-e.log",
                "rm -f logs/\(source)/\(date)-[ac].log",
            ]))
    }
}
