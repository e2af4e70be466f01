import Foundation
import SQLite
import Support
import Testing

/// Thirty small log dates from 2026-01-01 on, of an output that holds ids for ten days.
@Suite(.needsPushetl)
struct ErasureTests {
    private static let pipeline = """
        version: 1
        output: out
        dedup: {window_days: 1}
        limits: {volume: off}
        retention: {ids: 10}
        sources:
          - name: adobe
            format: collector
            files: logs/%Y-%m-%d.log

        """

    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.scratch.write(ErasureTests.pipeline, to: "push.yaml")
        try place.scratch.write(ErasureTests.pipeline.replacing("retention: {ids: 10}\n", with: ""), to: "keep.yaml")
        for day in 1...30 {
            let hit = Workplace.hit("h\(day),d,7").replacing("19/Nov/2026", with: "\(text(day))/Jan/2026")
            try place.scratch.write(hit + "\n", to: "logs/2026-01-\(text(day)).log")
        }
    }

    private func text(_ day: Int) -> String { day < 10 ? "0\(day)" : "\(day)" }

    /// Loads the first 20 log dates: 2026-01-12 is the last closed one, and 2026-01-10 the last whose ids are erased.
    private func loadTwenty(_ options: String...) throws -> Program.Outcome {
        try place.run(["backfill", "--from", "2026-01-01", "--to", "2026-01-20", "--quiet"] + options)
    }

    private func names(_ folder: String) -> Set<String> { Set((try? place.scratch.names("out/\(folder)")) ?? []) }

    @Test func heldBackLoadsOfOldAndOfFutureDatesAreErasedWhetherOrNotTheyWereEverLoaded() throws {
        #expect(try loadTwenty("--settle").exit == 0)
        let held = ["2025-06-01", "2026-01-10", "2026-01-25", "2200-01-01"]
        for date in held {
            try place.scratch.write("h1 personal\n", to: "logs/\(date).log")
            let outcome = try place.run("run", "--date", date, "-p", "keep.yaml", "--quiet")
            // A closed date is not even read.
            #expect(outcome.exit == 65)
        }
        #expect(names("partitions/.held") == ["2025-06-01.jsonl", "2026-01-25.jsonl", "2200-01-01.jsonl"])
        #expect(try place.run("rejects", "--date", "2025-06-01").stdout.contains("malformed_line"))
        // A night that loads nothing erases them too.
        let outcome = try place.run("run", "--date", "2026-01-20", "--quiet")
        #expect(outcome.exit == 0, "\(outcome)")
        #expect(names("partitions/.held") == ["2026-01-25.jsonl"])
        #expect(try place.run("doctor", "--quiet").exit == 0)
        // One that is held back by a command with 'retention' does not stay either.
        let again = try place.run("run", "--date", "2025-06-01", "--quiet")
        #expect(again.exit == 65)
        #expect(again.stderr.contains("2025-06-01: held back: 1 of 1 records were rejected"), "\(again)")
        #expect(names("partitions/.held") == ["2026-01-25.jsonl"])
    }

    @Test func beforeAnythingIsClosedOnlyHeldBackLoadsOfTheFutureAreErased() throws {
        #expect(try place.run("backfill", "--from", "2026-01-19", "--to", "2026-01-20", "--quiet").exit == 0)
        for date in ["2025-06-01", "2200-01-01"] {
            try place.scratch.write("h1 personal\n", to: "logs/\(date).log")
            #expect(try place.run("run", "--date", date, "-p", "keep.yaml", "--quiet").exit == 65)
        }
        #expect(try place.run("run", "--date", "2026-01-21", "--quiet").exit == 0)
        #expect(names("partitions/.held") == ["2025-06-01.jsonl"])
    }

    @Test func skippingMaySettle() throws {
        try place.scratch.move("logs/2026-01-05.log", to: "later.log")
        #expect(try loadTwenty().exit == 65)
        try place.scratch.move("later.log", to: "logs/2026-01-05.log")
        let some = try place.run("backfill", "--skip", "2026-01-05")
        #expect(some.exit == 65)
        #expect(some.stderr.contains("--settle"), "\(some)")
        #expect(names("partitions").contains("2026-01-01.sqlite"))
        let all = try place.run("backfill", "--skip", "2026-01-05", "--settle")
        #expect(all.exit == 0, "\(all)")
        #expect(all.stdout.contains("  closed          12  through 2026-01-12; loaded no more\n"), "\(all.stdout)")
        #expect(!names("partitions").contains("2026-01-01.sqlite"))
        #expect(names("partitions").contains("2026-01-01.settled.sqlite"))
    }

    @Test func whatOnlyBeginsOrEndsLikeAFileOfOursIsLeftAlone() throws {
        #expect(
            try place.run("backfill", "--from", "2026-01-01", "--to", "2026-01-18", "--quiet", "-p", "keep.yaml").exit
                == 0)
        let others = [
            "partitions/2026-01-01.sqlite.gpg", "partitions/2026-01-01.backup/notes",
            "partitions/2026-01-01.old.sqlite",
            "partitions/2026-01-01.txt", "partitions/.notes.tmp", "partitions/.2026-01-01.sqlite.tmp",
            "partitions/2026-01-01.json.bak", "partitions/2026-01-01.settled.sqlite.gpg", "partitions/.run.notes-2.tmp",
            "partitions/.kept/2026-01-01.figures.bak", "partitions/.kept/mine.figures", "partitions/.kept/copy.damage",
            "partitions/.kept/.mine.tmp", "partitions/.kept.old/2026-01-01.figures",
            "partitions/.held/2026-01-01.jsonl.gpg", "partitions/.held/notes.jsonl", "partitions/.held/.x.tmp",
            ".push.db.old.tmp", ".deliveries.csv.mine.tmp", ".push.db.pushetl-notes.tmp", "push.db.before-migration",
            "push.db.before-2025", "push.db.before-20260101T000000Z.gz", "shards/notes",
        ]
        for name in others { try place.scratch.write("mine", to: "out/\(name)") }
        let leftovers = [
            ".push.db.tmp", ".deliveries.csv.pushetl-1a2b.tmp", "partitions/.2026-01-01.sqlite.4711-beef.tmp",
            "partitions/.run.aB3x9Z.tmp", "partitions/.closed.pushetl-8c41f0d2b7e6935a.tmp",
            "partitions/.held/.2026-01-01.jsonl.pushetl-1.tmp", "partitions/.kept/.push.digests.pushetl-2.tmp",
        ]
        for name in leftovers { try place.scratch.write("ours", to: "out/\(name)") }
        for day in 19...21 {
            let night = try place.run(["run", "--date", "2026-01-\(day)", "--quiet"] + (day == 19 ? ["--settle"] : []))
            #expect(night.exit == 0, "\(night)")
            #expect(night.stderr == "")
        }
        #expect(!names("partitions").contains("2026-01-01.sqlite"))
        for name in others { #expect(try place.scratch.text("out/\(name)") == "mine", "\(name)") }
        for name in leftovers { #expect(!place.scratch.exists("out/\(name)"), "\(name)") }
        for command in [["status"], ["doctor"], ["rejects"], ["explain", "h21"]] {
            #expect(try place.run(command + ["--quiet"]).exit == 0, "\(command)")
        }
        // Copies of push.db of others are no copies of ours, of which there are at most three.
        try Data("no database".utf8).write(to: URL(fileURLWithPath: place.scratch.path("out/push.db")))
        #expect(try place.run("run", "--date", "2026-01-21", "--quiet").exit == 0)
        for name in others { #expect(try place.scratch.text("out/\(name)") == "mine", "\(name)") }
    }

    @Test func aFolderInThePlaceOfAFileOfOursIsNamed() throws {
        #expect(try loadTwenty("--settle").exit == 0)
        for name in ["partitions/.held/2026-01-01.jsonl", "partitions/2026-01-01.sqlite"] {
            try place.scratch.write("mine", to: "out/\(name)/notes")
            let outcome = try place.run("run", "--date", "2026-01-20", "--quiet")
            #expect(outcome.exit == 74)
            #expect(outcome.stderr.contains("out/\(name): "), "\(outcome)")
            #expect(try place.scratch.text("out/\(name)/notes") == "mine")
            try place.scratch.remove("out/\(name)")
            #expect(try place.run("run", "--date", "2026-01-20", "--quiet").exit == 0)
        }
    }

    /// SQLite takes NULL and an empty blob for 0 where a number is asked for.
    @Test(arguments: ["NULL", "x''"])
    func aSettledFileWithNothingInThePlaceOf0IsDamaged(value: String) throws {
        #expect(try loadTwenty("--settle").exit == 0)
        let path = "out/partitions/2026-01-03.settled.sqlite"
        let connection = try Connection(path: place.scratch.path(path))
        let column = "duplicates INTEGER"
        try connection.inDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA writable_schema = 1;
                    UPDATE sqlite_master SET sql = replace(sql, '\(column) NOT NULL', '\(column)') WHERE name = 'daily';
                    """)
        }
        try connection.close()
        try execute("UPDATE daily SET duplicates = \(value)", on: place.scratch.path(path))
        try execute(
            """
            PRAGMA writable_schema = 1;
            UPDATE sqlite_master SET sql = replace(sql, '\(column),', '\(column) NOT NULL,') WHERE name = 'daily'
            """, on: place.scratch.path(path))
        let outcome = try place.run("run", "--date", "2026-01-21", "--quiet")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("\(path): "), "\(outcome)")
        #expect(outcome.stderr.contains("a value has the wrong type"), "\(outcome)")
        #expect(try place.run("doctor", "--quiet").exit == 65)
    }
}
