import Foundation
import Support
import Testing

private let inMadrid = Workplace.onePipeline.replacing("output: out", with: "timezone: Europe/Madrid\noutput: out")

@Suite(.needsPushetl)
struct TimeZoneTests {
    /// A time zone database in which Madrid has the rules of another zone.
    private func moveMadrid(to zone: String, in place: Workplace) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)"))
        try place.scratch.write(bytes, to: "zones/Europe/Madrid")
    }

    @Test func aMissingDatabaseEndsWith78AndSaysWhatToInstall() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: inMadrid)
        let nowhere = ["ZONEINFO": place.scratch.path("nowhere")]
        for arguments in [["run", "--date", "2026-11-19"], ["status"], ["validate"]] {
            let outcome = try place.run(arguments, environment: nowhere)
            #expect(outcome.exit == 78)
            #expect(
                outcome.stderr.contains(
                    """
                    push.yaml:2:11: time zone 'Europe/Madrid' cannot be used: there is no time zone database in \
                    \(place.scratch.path("nowhere")); install the package 'tzdata', or set ZONEINFO to its folder

                    """))
        }
        #expect(!place.scratch.exists("out"))
        // UTC needs none.
        try place.scratch.write(Workplace.onePipeline, to: "push.yaml")
        #expect(try place.run(["run", "--date", "2026-11-19"], environment: nowhere).exit == 0)
    }

    @Test func anUnknownZoneHasASuggestionFromTheDatabase() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7")], pipeline: inMadrid.replacing("Europe/Madrid", with: "Europe/Madird"))
        #expect(
            try place.run("validate").stderr.contains(
                "push.yaml:2:11: unknown time zone 'Europe/Madird', did you mean 'Europe/Madrid'?\n"))
    }

    @Test(arguments: ["TZif2 cut", "", "a text"])
    func aDamagedZoneFileEndsWith78(_ content: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: inMadrid)
        try place.scratch.write(content, to: "zones/Europe/Madrid")
        let outcome = try place.run(["validate"], environment: ["ZONEINFO": place.scratch.path("zones")])
        #expect(outcome.exit == 78)
        #expect(
            outcome.stderr.contains(
                """
                time zone 'Europe/Madrid' cannot be used: \(place.scratch.path("zones/Europe/Madrid")) is not a time zone \
                file (RFC 8536) without leap seconds; reinstall the package 'tzdata'

                """))
    }

    /// A government moves midnight: all days are counted anew, and no date is loaded again.
    @Test func changedRulesCountTheDaysAnewAndMakeNoDateStale() throws {
        let hits = ["00:30:00", "12:00:00", "22:30:00", "23:30:00"].enumerated().map {
            Workplace.hit("h\($0 + 1),d,7", $1)
        }
        let place = try Workplace.withHits(hits, pipeline: inMadrid)
        let zones = ["ZONEINFO": place.scratch.path("zones")]
        try moveMadrid(to: "Europe/Madrid", in: place)
        #expect(try place.run(["run", "--date", "2026-11-19"], environment: zones).exit == 0)
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|3", "2026-11-20|1"])
        let loads = try place.rows("SELECT count(*) FROM loads")

        try moveMadrid(to: "Asia/Tokyo", in: place)
        #expect(try place.run(["status"], environment: zones).stdout.contains("\n  complete    1\n"))
        #expect(try place.run(["backfill", "--last", "1"], environment: zones).exit == 66)
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|2", "2026-11-20|2"])
        #expect(try place.rows("SELECT count(*) FROM loads") == loads)

        let fresh = try Workplace.withHits(hits, pipeline: inMadrid)
        try moveMadrid(to: "Asia/Tokyo", in: fresh)
        let freshZones = ["ZONEINFO": fresh.scratch.path("zones")]
        #expect(try fresh.run(["run", "--date", "2026-11-19"], environment: freshZones).exit == 0)
        // `publication` has the versions of the partitions, which are made by these rules.
        #expect(try place.dump(besides: ["publication"]) == fresh.dump(besides: ["publication"]))
    }

    /// Dates whose times without an offset would be others now can be loaded again. Lisbon is an hour behind Madrid, and Paris
    /// has the same offsets since 1976.
    @Test(arguments: [("", "Europe/Lisbon", true), ("", "Europe/Paris", false), (" +0100", "Europe/Lisbon", false)])
    func changedRulesConcernDatesWithTimesThatHaveNoOffset(offset: String, zone: String, isNamed: Bool) throws {
        let hit = Workplace.hit("h1,d,7").replacing(" +0000", with: offset)
        let place = try Workplace.withHits([hit], pipeline: inMadrid)
        #expect(try place.run("run", "--date", "2026-11-19").stderr == "")
        try moveMadrid(to: zone, in: place)
        let zones = ["ZONEINFO": place.scratch.path("zones")]
        let warning =
            "warning: 1 log date was loaded with another pipeline file, or by earlier rules of reading, and can be loaded "
            + "again: 2026-11-19; 'pushetl run --date 2026-11-19'\n"
        for arguments in [["run", "--date", "2026-11-20"], ["run", "--date", "2026-11-20"], ["status"]] {
            #expect(try place.run(arguments, environment: zones).stderr.contains(warning) == isNamed)
        }
        let fingerprint = "(SELECT value FROM about WHERE key = 'pipeline')"
        let former = "SELECT count(*) FROM partitions WHERE pipeline <> \(fingerprint)"
        #expect(try place.rows(former) == [isNamed ? "1" : "0"])
        #expect(try place.run(["run", "--date", "2026-11-19"], environment: zones).stderr == "")
        #expect(try place.run(["status"], environment: zones).stderr == "")
        #expect(try place.rows(former) == ["0"])
    }
}
