import Reference

/// Writes log files, rotates them, and damages them.
struct LogShipper {
    let dates: [Day]

    func files(of source: String, on date: Day, _ random: inout SplitMix64) -> HistoryStep {
        let name = "logs/\(source)/\(date)-\(random.pick(["a", "b"])).log"
        let lines = (0..<random.number(1...5)).map { _ in
            source == "adobe" ? hit(date, &random) : body(date, &random)
        }
        let way = random.pick([">\(name)", ">\(name)", ">>\(name)", "| gzip -n >\(name).gz", "| gzip -n >>\(name).gz"])
        let planted = planted(source, on: date, isRejectedToo: random.chance(40))
        return HistoryStep("mkdir -p logs/\(source); { \((lines + planted).joined(separator: "; ")); } \(way)")
    }

    /// All files of a log date, without a fault.
    func goodFiles(on date: Day) -> HistoryStep {
        let files = ["adobe", "braze"].map { source in
            let lines = planted(source, on: date, isRejectedToo: false).joined(separator: "; ")
            return
                "mkdir -p logs/\(source); rm -rf logs/\(source)/\(date)*; { \(lines); } >logs/\(source)/\(date)-a.log"
        }
        return HistoryStep(files.joined(separator: "; "))
    }

    /// Lines with the ids that no other log date has.
    private func planted(_ source: String, on date: Day, isRejectedToo: Bool) -> [String] {
        let ids = PlantedIDs(date)
        if source == "braze" { return [body(date, "10:00:00", ids.opaque, "d1", "push_open")] }
        return [ids.hex, ids.uuid].map { "hits '\(stamp(date, "10:00:00"))' 'h\($0),d1,7' '-'" }
            + (isRejectedToo ? ["hits '\(stamp(date, "10:99:00"))' 'h\(ids.hex),d1,7' '-'"] : [])
    }

    /// A file with many hits. A load that loses more than half of them is held back.
    func manyHits(_ count: Int, on date: Day, _ random: inout SplitMix64) -> HistoryStep {
        let time = stamp(date, "10:00:00")
        let action = random.pick(["7", "7", "1"])
        return HistoryStep("mkdir -p logs/adobe; many \(count) '\(time)' \(action) >logs/adobe/\(date)-m.log")
    }

    func stamp(_ day: Day, _ time: String) -> String {
        let parts = day.parts
        let month = ["Oct", "Nov", "Dec", "Jan"][(parts.month + 2) % 12]
        return "\(padded(parts.day, 2))/\(month)/\(parts.year):\(time) +0000"
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
        return "hits '\(stamp(day, time))' '\(id)' '\(agent)'"
    }

    private func body(_ date: Day, _ random: inout SplitMix64) -> String {
        if random.chance(12) { return "echo '{'" }
        let (day, time) = time(date, &random)
        let (id, delivery) = (id(&random), random.pick(["d1", "9"]))
        return body(day, time, id, delivery, random.pick(["push_open", "push_click", "push_impression"]))
    }

    private func body(_ day: Day, _ time: String, _ id: String, _ delivery: String, _ name: String) -> String {
        let properties = "{\"broadlogId\": \"\(id)\", \"deliveryId\": \"\(delivery)\", \"platform\": \"ios\"}"
        return
            "echo '{\"events\": [{\"name\": \"\(name)\", \"time\": \"\(day)T\(time)Z\", \"properties\": \(properties)}]}'"
    }

    /// What rotation does to loaded files: they have other names or other bytes, and the same lines.
    func rotate(_ random: inout SplitMix64) -> HistoryStep {
        let ways = (0..<random.number(1...3)).map { _ in
            let prefix = "logs/\(random.pick(["adobe", "braze"]))/\(random.pick(dates))"
            return "rotate \(random.pick(["number", "copy", "exchange", "plain", "gzip", "zstd", "members"])) \(prefix)"
        }
        return HistoryStep(ways.joined(separator: "; "), .rotation)
    }

    /// All that becomes of a log file, each once.
    func changes(_ random: inout SplitMix64) -> [HistoryStep] {
        let (source, date) = (random.pick(["adobe", "braze"]), random.pick(dates))
        let number = random.below(4)
        let file = "f=$(nth \(number) logs/\(source)/\(date)*); [ -f \"$f\" ] && "
        let other = "logs/\(source)/\(random.pick(dates))"
        return [
            file + "rm \"$f\"", file + "touch -d 2300-01-01 \"$f\"", "rm -f logs/\(source)/\(date)*",
            file + "mv \"$f\" \"$f.1\"",
            file + "gzip -fn \"$f\"", file + "gunzip -f \"$f\"",
            file + "{ gzip -cdf \"$f\" | gzip -1n >packed; mv packed \"$f\"; }", file + "touch \"$f\"",
            file + "sed -i 's/\\([T:]\\)10:/\\116:/' \"$f\"",
            file + "truncate -s -4 \"$f\"",
            "flip \"$(nth \(number) logs/\(source)/\(date)*)\" \(random.below(1000)) 1",
            "swap \"$(nth \(number) logs/\(source)/\(date)*)\" \"$(nth \(number) \(other)*)\"",
            file + "cp \"$f\" logs/\(source)/\(date)-copy.log", file + ": >\"$f\"",
            "printf 'PK\\3\\4' >logs/\(source)/\(date)-a.log", "ln -sf nowhere logs/\(source)/\(date)-c.log",
            "mkdir -p logs/\(source)/\(date)-d.log", "mkfifo logs/\(source)/\(date)-e.log",
            "rm -f logs/\(source)/\(date)-[ac].log",
        ].map { HistoryStep($0) }
    }
}
