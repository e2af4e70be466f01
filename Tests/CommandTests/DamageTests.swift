import Foundation
import Support
import Testing

/// Two loaded dates, and the content of their push.db. Then one byte of the first partition was changed.
private func damaged() throws -> (Workplace, content: [String]) {
    let place = try Workplace.withHits((1..<60).map { Workplace.hit("h\($0),d\($0),7") })
    try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-20.log")
    for date in ["2026-11-19", "2026-11-20"] { #expect(try place.run("run", "--date", date).exit == 0) }
    let content = try place.dump()
    let partition = "out/partitions/2026-11-19.sqlite"
    let pages = try place.rows("SELECT rootpage FROM sqlite_master WHERE name = 'daily'", partition)
    let root = try #require(pages.first.flatMap { Int($0) })
    var bytes = try #require(place.bytes(partition))
    // The last bytes of the page are those of its first row.
    bytes[root * 4096 - 3] ^= 1
    try place.scratch.write(bytes, to: partition)
    return (place, content)
}

private let range = ["--from", "2026-11-19", "--to", "2026-11-20"]

@Suite(.needsPushetl)
struct DamageTests {
    @Test func aBackfillFindsADamagedPartitionAndLoadsItsDateAgain() throws {
        let (place, content) = try damaged()
        let dryRun = try place.run(["backfill", "--dry-run"] + range)
        #expect(dryRun.stdout.contains("2026-11-19  load   1 file"))
        #expect(dryRun.stdout.contains("damaged"))
        let outcome = try place.run(["backfill"] + range)
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("would") == false)
        #expect(try place.dump() == content)
        #expect(try place.run("status").stdout.contains("CC"))
    }

    @Test(arguments: [["backfill"] + range, ["run", "--date", "2026-11-20", "--catch-up", "3"]])
    func damageIsRememberedUntilTheDateIsLoadedAgain(_ repair: [String]) throws {
        let (place, content) = try damaged()
        let found = try place.run("run", "--date", "2026-01-01")
        #expect(found.exit == 74)
        #expect(
            found.stderr.contains("2026-11-19.sqlite: the database is damaged (table daily is not as it was written)"))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        // These files remember the stamp of the undamaged partition.
        for name in ["2026-11-19.figures", "2026-11-20.figures"] {
            try? place.scratch.remove("out/partitions/.kept/\(name)")
        }
        let status = try place.run("status")
        #expect(status.stdout.contains("DC"))
        #expect(try place.run(["backfill", "--dry-run"] + range).stdout.contains("2026-11-19  load"))
        #expect(try place.run(repair).exit == 0)
        #expect(try place.dump() == content)
        #expect(try place.run("status").stdout.contains("CC"))
        #expect(
            try place.scratch.names("out/partitions/.kept").filter { $0.hasSuffix(".damage") }.isEmpty)
    }

    @Test func aDamagedDateWithoutItsFilesIsShrunkAndNotLoaded() throws {
        let (place, _) = try damaged()
        #expect(try place.run("run", "--date", "2026-01-01").exit == 74)
        try place.scratch.move("logs/2026-11-19.log", to: "logs/elsewhere")
        try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-19.log.1")
        let dryRun = try place.run(["backfill", "--dry-run"] + range)
        #expect(dryRun.stdout.contains("logs/2026-11-19.log is gone"))
        #expect(dryRun.stdout.contains("nothing to load of 2 log dates"))
    }

    @Test func changedBytesInRejectsAreFound() throws {
        let place = try Workplace.withHits((1..<40).map { Workplace.hit("h\($0),d,7") } + [Workplace.hit("zz")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let partition = "out/partitions/2026-11-19.sqlite"
        var bytes = try #require(place.bytes(partition))
        // Only the table of rejects has a reason followed by a sample.
        let reason = try #require(bytes.firstRange(of: Data("malformed_id*** - -".utf8)))
        bytes[reason.lowerBound] ^= 2
        try place.scratch.write(bytes, to: partition)
        let listed = try place.run("rejects")
        #expect(listed.exit == 74)
        #expect(listed.stderr.contains("table rejects is not as it was written"))
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").exit == 0)
        #expect(try place.run("rejects").stdout.contains(":40: malformed_id: "))
    }

    // Bytes of the header: another application's id, a newer schema version, older ones, and a far newer one.
    @Test(arguments: [(71, 1), (63, 1), (63, 2), (63, 4), (60, 64)] as [(Int, UInt8)])
    func changedBytesInAPartitionsHeaderAreDamage(_ offset: Int, _ bit: UInt8) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), Workplace.hit("h2,d,1")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = try place.dump()
        let partition = "out/partitions/2026-11-19.sqlite"
        var bytes = try #require(place.bytes(partition))
        bytes[offset] ^= bit
        try place.scratch.write(bytes, to: partition)
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").exit == 0)
        #expect(try place.dump() == before)
        #expect(try place.rows("PRAGMA user_version", partition) == ["6"])
    }
}
