import Foundation
import Support
import Testing

private func pipeline(_ files: String, zone: String = "UTC") -> String {
    Workplace.onePipeline.replacing("version: 1", with: "version: 1\ntimezone: \(zone)")
        .replacing("logs/%Y-%m-%d.log", with: files)
}

extension Workplace {
    /// Writes the files of a date, whose names have it in place of `DATE`.
    fileprivate func write(_ files: [String], _ date: String) throws {
        for file in files {
            try scratch.write(Workplace.hit("h1,d,7") + "\n", to: file.replacing("DATE", with: date))
        }
        settle()
    }

    /// With the dates before the last of November loaded, which all have the same files, and the messages about the last.
    fileprivate static func messages(
        _ usual: [String], _ last: [String], pattern: String, dates: Int = 7
    ) throws -> String {
        let place = try Workplace()
        try place.scratch.write(pipeline(pattern), to: "push.yaml")
        for day in (19 - dates)...19 { try place.write(day == 19 ? last : usual, "2026-11-\(day)") }
        let outcome = try place.run("backfill", "--from", "2026-11-\(19 - dates)", "--to", "2026-11-19", "--jobs", "4")
        #expect(outcome.exit == 0)
        return outcome.stderr
    }
}

private let hosts = (1...5).map { "logs/DATE/web\($0)/a-DATE.log" }

@Suite(.needsPushetl)
struct UsualFilesTests {
    @Test(arguments: [
        // A host, with the date in a globbed part too.
        (
            hosts, Array(hosts.dropLast()), "logs/%Y-%m-%d/*/*.log", 7,
            "logs/…/web5/a-….log had a file on each of the last 7"
        ),
        (
            hosts, Array(hosts.dropLast()), "logs/%Y-%m-%d/*/*.log", 3,
            "logs/…/web5/a-….log had a file on each of the last 3"
        ),
        (hosts, Array(hosts.dropLast()), "logs/%Y-%m-%d/*/*.log", 2, ""),
        (
            hosts, Array(hosts.prefix(1)), "logs/%Y-%m-%d/*/*.log", 7,
            "logs/…/web2/a-….log, logs/…/web3/a-….log, logs/…/web4/a-….log and 1 more had a file on each of the last 7"
        ),
        // As many files as ever, under other names.
        (hosts, hosts.dropLast() + ["logs/DATE/web6/a-DATE.log"], "logs/%Y-%m-%d/*/*.log", 7, ""),
        // The pattern of a list, though another one has more files.
        (
            ["a/DATE.log", "b/DATE.log"], ["a/DATE.log", "a/DATE.log.1"], "[a/%Y-%m-%d.log*, b/%Y-%m-%d.log]", 7,
            "b/….log had a file on each of the last 7"
        ),
        // A host that has the day's number.
        (["logs/2026-11/h19-DATE.log"], ["logs/2026-11/h19-DATE.log"], "logs/%Y-%m/*-%Y-%m-%d.log", 7, ""),
    ])
    func aHostThatIsMissingIsNamed(
        usual: [String], last: [String], pattern: String, dates: Int, message: String
    ) throws {
        let wanted = message.isEmpty ? "" : "warning: 2026-11-19: \(message) log dates\n"
        #expect(try Workplace.messages(usual, last, pattern: pattern, dates: dates) == wanted)
    }

    /// One command finds what one command for each date finds.
    @Test func theOrderOfCommandsDoesNotMatter() throws {
        var details: [[String]] = []
        for isOne in [true, false] {
            let place = try Workplace()
            try place.scratch.write(pipeline("logs/%Y-%m-%d/*/*.log"), to: "push.yaml")
            for day in 10...19 {
                try place.write(day == 14 ? Array(hosts.dropFirst()) : day == 18 ? [hosts[0]] : hosts, "2026-11-\(day)")
            }
            let ranges = isOne ? [(10, 19)] : (10...19).map { ($0, $0) }
            for (first, last) in ranges {
                let outcome = try place.run("backfill", "--from", "2026-11-\(first)", "--to", "2026-11-\(last)")
                #expect(outcome.exit == 0)
            }
            details.append(try place.rows("SELECT log_date, detail FROM loads WHERE detail IS NOT NULL ORDER BY 1"))
        }
        #expect(details[0] == details[1])
        #expect(details[0].map { $0.prefix(10) } == ["2026-11-14", "2026-11-18"])
    }

    @Test func anHourThatTheDayDoesNotHaveIsNotMissing() throws {
        let place = try Workplace()
        try place.scratch.write(pipeline("logs/*/%Y-%m-%d-*.log", zone: "Europe/Madrid"), to: "push.yaml")
        for day in 25...29 {
            let hours = (0..<24).filter { day < 29 || $0 != 2 }.map { ($0 < 10 ? "0" : "") + String($0) }
            let files = hours.map { "logs/web1/DATE-\($0).log" }
            try place.write(day == 29 ? files : files + ["logs/web2/DATE-all.log"], "2026-03-\(day)")
        }
        let outcome = try place.run("backfill", "--from", "2026-03-25", "--to", "2026-03-29", "--force")
        let found = outcome.stderr.split(separator: "\n").filter { $0.contains("had a file") }
        #expect(found.count == 1)
        #expect(found.first?.contains("logs/web2/…-all.log had a file on each of the last 4") == true)
    }
}
