import Foundation
import Reference
import Support
import Testing

@Suite(.needsPushetl)
struct ArchiveTests {
    /// Nine weeks over the turn of a year; half a year in the long form. Of the dates one in eight comes some weeks late, and one in
    /// eight gets another file.
    @Test func anArchiveThatIsKeptIsTheOneThatIsMadeFromNothing() throws {
        let place = try Workplace()
        try place.scratch.write(Workplace.manyFiles + "dedup: {window_days: 7}\n", to: "push.yaml")
        var random = SplitMix64(seed: 20)
        let monday = try #require(Day("2025-11-24"))
        var late: [Int: [(name: String, lines: String)]] = [:]
        var first: [String: Int] = [:]
        let (weeks, months, most) = Long.isOn ? (26, 6, 3) : (9, 2, 3)
        for week in 0..<weeks {
            for file in late[week] ?? [] { try place.scratch.write(file.lines, to: file.name) }
            for number in (7 * week)..<(7 * week + 7) {
                let date = day(monday, number)
                let lines = (0..<20).map { hit(number, $0, on: day(monday, max(0, number - $0 / 18 * 3))) }
                let isLate = random.next() % 8 == 0
                if isLate {
                    late[week + 1 + Int(random.next() % UInt64(most)), default: []].append(
                        ("logs/\(date.file).log", lines.joined()))
                } else {
                    try place.scratch.write(lines.joined(), to: "logs/\(date.file).log")
                    if random.next() % 8 == 0 {
                        late[week + 1 + Int(random.next() % UInt64(most)), default: []].append(
                            ("logs/\(date.file)-more.log", hit(number, 20, on: date)))
                    }
                }
            }
            place.settle()
            let dates = ["--from", day(monday, max(0, 7 * (week - most))).file, "--to", day(monday, 7 * week + 6).file]
            #expect([0, 65].contains(try place.run(["backfill", "--quiet"] + dates).exit))
            let (before, stamps) = (place.scratch.contentsOfAll("kept"), try stamps(place, "kept"))
            let outcome = try place.run("report", "--archive", "kept", "--json")
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            let (after, later) = (place.scratch.contentsOfAll("kept"), try self.stamps(place, "kept"))
            for (path, state) in try states(outcome) {
                let isNew = before[path] == nil
                if isNew { first[path] = week }
                #expect(state == (before[path] == after[path] ? "unchanged" : "written"))
                #expect((stamps[path] == later[path]) == (state == "unchanged"))
                // Nothing comes so late.
                if path != "index.html" {
                    #expect(state == "unchanged" || week - (first[path] ?? 0) <= most + 2, "\(path)")
                }
            }
            if week % 5 == 0 || week == weeks - 1 {
                #expect(try place.run("report", "--archive", "fresh-\(week)", "--quiet").exit == 0)
                #expect(place.scratch.contentsOfAll("fresh-\(week)") == after, "week \(week)")
            }
        }
        let paths = first.keys
        #expect(paths.contains("2025/W52.html") && paths.contains("2026/W01.html") && paths.contains("2025-12.html"))
        #expect(paths.count == weeks + months + 1)
    }

    @Test func anArchiveThatIsStoppedIsFinishedByTheNextCommand() throws {
        let place = try Workplace.withLoggen("--records 100 --from 2026-06-01 --to 2026-08-30 --kinds collector")
        #expect(try place.run("backfill", "--quiet", "--force", "--from", "2026-06-01", "--to", "2026-08-30").exit == 0)
        let begun = "kept/2026/W23.html"
        let stopped = try place.start(["report", "--archive", "kept"], until: begun)
        stopped.send(SIGTERM)
        let outcome = try stopped.wait()
        #expect(outcome.exit == 143)
        #expect(outcome.stderr.hasPrefix("error: stopped; the files that are there are complete"))
        #expect(!place.scratch.exists("kept/index.html"))
        try place.scratch.remove(begun)
        let killed = try place.start(["report", "--archive", "kept"], until: begun)
        killed.send(SIGKILL)
        #expect(try killed.wait().exit == -SIGKILL)
        for name in ["kept", "fresh"] { #expect(try place.run("report", "--archive", name, "--quiet").exit == 0) }
        #expect(place.scratch.contentsOfAll("kept") == place.scratch.contentsOfAll("fresh"))
    }

    @Test(.needs(.script)) func aTerminalShowsProgress() throws {
        let place = try Workplace.withLoggen("--records 100 --from 2026-01-01 --to 2026-08-30 --kinds collector")
        #expect(try place.run("backfill", "--quiet", "--force", "--from", "2026-01-01", "--to", "2026-08-30").exit == 0)
        let command = "\(place.program.executable.path) report --pipeline push.yaml --archive kept"
        let shown = String(
            decoding: try Tool.output(of: "script -qec '\(command)' /dev/null", in: place.scratch), as: UTF8.self)
        // 42 weeks and months, and the seven campaigns of loggen.
        #expect(shown.contains(/making pages … [0-9]+ of 49/))
        #expect(shown.hasSuffix("\r\u{1B}[K50 files written\r\n"))
    }

    /// A date as files and as log lines have it.
    private func day(_ first: Day, _ number: Int) -> (file: String, line: String) {
        let day = Day(number: first.number + number)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return ("\(day)", "\("\(day)".suffix(2))/\(months[day.parts.month - 1])/\(day.parts.year)")
    }

    /// A hit of a message that comes on a date: one of three is opened.
    private func hit(_ date: Int, _ message: Int, on day: (file: String, line: String)) -> String {
        let id = String(date * 100 + message / 3 + 1, radix: 16)
        let agent = message % 2 == 0 ? "Android 14" : "iPhone"
        return "192.0.2.1 - - [\(day.line):10:\(10 + message):00 +0000] "
            + "\"GET /r/?id=h\(id),d\(date),\([7, 2, 1][message % 3]) HTTP/1.1\" 200 0 \"-\" \"\(agent)\"\n"
    }

    /// What the command has done with each file.
    private func states(_ outcome: Program.Outcome) throws -> [(String, String)] {
        let result = try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any]
        let files = try #require(result?["files"] as? [[String: Any]])
        return files.map { (("\($0["path"] ?? "")").replacing("kept/", with: ""), "\($0["state"] ?? "")") }
    }

    /// The inode and the time of each file.
    private func stamps(_ place: Workplace, _ folder: String) throws -> [String: [String]] {
        try place.scratch.contentsOfAll(folder).keys.reduce(into: [:]) { stamps, path in
            let facts = try FileManager.default.attributesOfItem(atPath: place.scratch.path("\(folder)/\(path)"))
            stamps[path] = ["\(facts[.systemFileNumber] ?? "")", "\(facts[.modificationDate] ?? "")"]
        }
    }
}
