import Foundation
import Support
import Testing

/// From one file of a day, the pattern of `guess` finds all files of that day and of no other.
@Suite(.needsPushetl)
struct GuessedFilesTests {
    /// How somebody names files: by the day, the hour, the host and the number of a file.
    struct Naming: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: @Sendable (_ day: Int, _ hour: String, _ host: Int, _ number: Int) -> String

        init(_ name: String, _ path: @escaping @Sendable (Int, String, Int, Int) -> String) {
            (testDescription, self.path) = (name, path)
        }
    }

    private static func uuid(_ day: Int, _ hour: String, _ host: Int, _ number: Int) -> String {
        let seed = UInt64((day * 24 + (Int(hour) ?? 0)) * 100 + host * 10 + number + 1) &* 0x9E37_79B9_7F4A_7C15
        let digits = Array(
            (String(seed, radix: 16) + String(seed.byteSwapped, radix: 16) + String(repeating: "a", count: 32)).prefix(
                32))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    static let namings = [
        Naming("a day") { day, hour, host, number in "access-2026-11-\(day).log" },
        Naming("Hive") { day, hour, host, number in "dt=2026-11-\(day)/hr=\(hour)/part-0000\(number).log" },
        Naming("Hive, UUID") { "dt=2026-11-\($0)/hr=\($1)/part-0000\($3)-\(uuid($0, $1, $2, $3)).c000.log" },
        Naming("keys") { day, hour, host, number in "year=2026/month=11/day=\(day)/hour=\(hour)/\(number).log" },
        Naming("Firehose") {
            "2026/11/\($0)/\($1)/push-stream-1-2026-11-\($0)-\($1)-0\($3)-22-\(uuid($0, $1, $2, $3))"
        },
        Naming("Azure") { day, hour, host, number in "y=2026/m=11/d=\(day)/h=\(hour)/m=00/PT1H.json" },
        Naming("CloudFront") { "E2EXAMPLE.2026-11-\($0)-\($1).\(uuid($0, $1, $2, $3).prefix(8)).log" },
        Naming("ALB") {
            "2026/11/\($0)/123456789012_elasticloadbalancing_eu-west-1_app.lb.50dc_202611\($0)T\($1)55Z_192.0.2.\($2)_"
                + "\(uuid($0, $1, $2, $3).prefix(8)).log"
        },
        Naming("a host before the date") { day, hour, host, number in "web\(host)-access-2026-11-\(day).log" },
        Naming("a host after the date") { day, hour, host, number in "access-2026-11-\(day)-web\(host).log" },
        Naming("a host's folder below the date") { day, hour, host, number in "2026-11-\(day)/web\(host)/access.log" },
        Naming("a host's folder above the date") { day, hour, host, number in "web\(host)/2026-11-\(day)/access.log" },
        Naming("an address") { day, hour, host, number in "ip-10-0-0-\(host)_202611\(day)\(hour)5900.log" },
        Naming("a pod") { "shop-7d9f8b6c5-x\($2)x4\($3)_2026-11-\($0).log" },
        Naming("a time before the date") { day, hour, host, number in "\(hour)-59-access-2026-11-\(day).log" },
        Naming("IIS") { day, hour, host, number in "W3SVC\(host)/u_ex2611\(day)\(hour).log" },
        Naming("a unix time") { day, hour, host, number in
            "access-202611\(day)-\(1_795_046_400 + (day - 19) * 86_400 + (Int(hour) ?? 0) * 3600).log"
        },
        Naming("hour in one number") { day, hour, host, number in "access-202611\(day)\(hour).log" },
    ]

    @Test(arguments: GuessedFilesTests.namings) func oneFileTellsThoseOfItsDay(naming: Naming) throws {
        let place = try Workplace()
        var paths: [Int: Set<String>] = [:]
        for day in 18...20 {
            for (hour, host, number) in [("00", 1, 0), ("00", 2, 1), ("08", 1, 2), ("23", 2, 0)] {
                let path = "logs/" + naming.path(day, hour, host, number)
                let hit = Workplace.hit("h\(day)\(host)\(number)1,d57fd6,7", agent: "Dalvik/2 (Linux; Android 14)")
                    .replacing("19/Nov", with: "\(day)/Nov")
                try place.scratch.write(hit + "\n", to: path)
                paths[day, default: []].insert(path)
            }
        }
        let first = try #require(paths[19]?.sorted().first)
        let guess = try place.run("guess", first, "--out", "guess.yaml")
        #expect(guess.exit == 0, "\(guess.stderr)")
        let draft = try place.scratch.text("guess.yaml")
        #expect(!draft.contains("check: finds"), "\(draft)")
        let run = try place.run("run", "--date", "2026-11-19", "--pipeline", "guess.yaml", "--output", "out")
        #expect(run.exit == 0, "\(run.stderr)")
        let found = try place.rows("SELECT path FROM files").map { $0.drop { $0 == "/" } }
        let folder = place.scratch.root.drop { $0 == "/" }
        let read = Set(
            found.map { path in
                path.hasPrefix(folder) ? String(path.dropFirst(folder.count + 1)) : String(path)
            })
        #expect(read == paths[19], "\(draft)")
    }

    @Test(arguments: [
        (
            ["2026-11-19/alpha.log", "2026-11-19/beta.log", "2026-11-19/gamma.log"],
            "# check: finds 1 of the 3 files below logs/2026-11-19"
        ),
        (
            ["access.log-20261119", "error.log-20261119", "access.log-20261118"],
            "# check: finds 1 of the 2 files of 2026-11-19 in logs"
        ),
    ])
    func filesOfTheDayThatThePatternDoesNotFindAreCounted(paths: [String], check: String) throws {
        let place = try Workplace()
        for path in paths {
            try place.scratch.write(Workplace.hit("h1,d57fd6,7") + "\n", to: "logs/\(path)")
        }
        let guess = try place.run("guess", "logs/\(paths[0])")
        #expect(guess.stdout.contains("\n\(check)\n"), "\(guess.stdout)")
        #expect(!(try place.run(["guess"] + paths.map { "logs/\($0)" })).stdout.contains("check: finds"))
    }
}
