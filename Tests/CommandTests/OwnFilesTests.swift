import Foundation
import Hashing
import SQLite
import Support
import Testing

extension Workplace {
    /// Two loaded and published log dates.
    fileprivate static func twoLoaded() throws -> Workplace {
        let place = try withHits((1...60).map { hit("h\($0),d\($0),7") })
        try place.scratch.write(hit("h1,d,7") + "\n", to: "logs/2026-11-20.log")
        for date in ["2026-11-19", "2026-11-20"] { #expect(try place.run("run", "--date", date).exit == 0) }
        return place
    }

    fileprivate func put(_ kind: String, at file: String) throws {
        if scratch.exists(file) { try scratch.remove(file) }
        switch kind {
        case "folder":
            try scratch.makeFolder(file)
            try scratch.write("notes", to: file + "/notes")
        default: mkfifo(scratch.path(file), 0o644)
        }
    }
}

private let partition = "out/partitions/2026-11-19.sqlite"
/// A block whose low words of ids end lower than they begin, with the hash of its bytes.
private func unsorted(_ block: [UInt8]) -> [UInt8] {
    var block = block
    // The first id, above all others.
    for index in 44..<52 { block[index] = 0xFF }
    let hash = WordHash.of(block.span.extracting(8..<block.count))
    for index in 0..<8 { block[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    return block
}

private let both = ["--from", "2026-11-19", "--to", "2026-11-20"]

/// What others put in the place of the program's own files, or beside them.
@Suite(.needsPushetl)
struct OwnFilesTests {
    /// A journal that would change the partition, as sqlite3 leaves it when it is killed during a write.
    private func leaveHotJournal(_ place: Workplace) throws {
        let path = place.scratch.path(partition)
        let writer = try Connection(path: path)
        try writer.inDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE daily SET events = events + 1")
            try FileManager.default.copyItem(atPath: path + "-journal", toPath: place.scratch.path("journal"))
            try database.execute(sql: "ROLLBACK")
        }
        try writer.close()
        try place.scratch.move("journal", to: partition + "-journal")
    }

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func whatSQLiteLeftBesideAPartitionIsDamageOfItsDateAndLoadingRemovesIt(suffix: String) throws {
        let place = try Workplace.twoLoaded()
        let figures = try place.dump()
        if suffix == "-journal" {
            try leaveHotJournal(place)
        } else {
            try place.scratch.write([UInt8](repeating: 7, count: 4096), to: partition + suffix)
        }
        let sentence =
            "\(partition): the database is damaged (another program has left a \(suffix) file beside it); "
            + "push.db lacks that log date until it is loaded again: 'pushetl run --date 2026-11-19'"
        #expect(try place.run("status").stdout.contains("DC"))
        #expect(try place.run("status", "--check").exit == 65)
        #expect(try place.run("explain", "h1").stderr.contains(sentence))

        try place.scratch.write(Workplace.hit("h2,d,7") + "\n", to: "logs/2026-11-21.log")
        let other = try place.run("run", "--date", "2026-11-21")
        #expect(other.exit == 74)
        #expect(other.stderr.contains(sentence))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20", "2026-11-21"])

        try place.scratch.remove("logs/2026-11-21.log")
        try place.scratch.remove("out/partitions/2026-11-21.sqlite")
        #expect(try place.run(["backfill", "--dry-run"] + both).stdout.contains("2026-11-19  load   1 file"))
        let healed = try place.run(["backfill"] + both)
        #expect(healed.exit == 0, "\(healed)")
        #expect(!place.scratch.exists(partition + suffix))
        #expect(try place.dump() == figures)
        #expect(try place.run("status").stdout.contains("CC"))
    }

    @Test func aJournalThatIsRemovedByHandLeavesTheDateSound() throws {
        let place = try Workplace.twoLoaded()
        try place.scratch.write("x", to: partition + "-journal")
        #expect(try place.run("run", "--date", "2026-01-01").exit == 74)
        try place.scratch.remove(partition + "-journal")
        #expect(try place.run("status").stdout.contains("CC"))
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
    }

    @Test func aPartitionInWALModeIsDamage() throws {
        let place = try Workplace.twoLoaded()
        let figures = try place.dump()
        try execute("PRAGMA journal_mode = WAL", on: place.scratch.path(partition))
        let run = try place.run("run", "--date", "2026-01-01")
        #expect(run.exit == 74)
        #expect(run.stderr.contains("the database is damaged (another program has put it into WAL mode)"))
        #expect(try place.run(["backfill"] + both).exit == 0)
        #expect(try place.dump() == figures)
    }

    @Test(arguments: [("folder", "it is a folder"), ("fifo", "it is a FIFO, a socket or a device")])
    func somethingElseInAPartitionsPlaceIsDamage(kind: String, detail: String) throws {
        let place = try Workplace.twoLoaded()
        let figures = try place.dump()
        try place.put(kind, at: partition)
        let run = try place.run("run", "--date", "2026-01-01")
        #expect(run.exit == 74)
        #expect(run.stderr.contains("\(partition): the database is damaged (\(detail)); "))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        #expect(try place.run("status").stdout.contains("DC"))
        let load = try place.run(["backfill"] + both)
        guard kind == "fifo" else {
            // Nobody knows whose folder it is.
            #expect(load.exit == 74)
            #expect(
                load.stderr.contains(
                    "\(partition): rename failed: is a directory; nothing is lost; fix that and run again"))
            return
        }
        #expect(load.exit == 0)
        #expect(try place.dump() == figures)
    }

    @Test(arguments: [
        ("out/deliveries.csv", "folder", "open failed: is a directory"),
        ("out/deliveries.csv", "fifo", "open failed: it is a FIFO, a socket or a device, and no file"),
    ])
    func somethingElseInThePlaceOfDeliveriesIsNamed(file: String, kind: String, reason: String) throws {
        let place = try Workplace.twoLoaded()
        try place.put(kind, at: file)
        for arguments in [["run", "--date", "2026-11-19"], ["doctor"], ["status"]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74, "\(arguments)")
            #expect(
                outcome.stderr.contains("\(file): \(reason); nothing is lost; fix that and run again"), "\(outcome)")
        }
    }

    @Test func theLockIsNeverWrittenThroughALink() throws {
        let place = try Workplace.twoLoaded()
        let lock = "out/partitions/.lock"
        let sentence =
            "\(lock): is a link, a folder or something else, and pushetl needs a regular file there; "
            + "nothing has changed; remove it and run again"
        try place.scratch.write("precious", to: "notes.txt")
        for kind in ["link", "folder", "fifo"] {
            if kind == "link" {
                try place.scratch.makeLink(lock, to: "../../notes.txt")
            } else {
                try place.put(kind, at: lock)
            }
            let run = try place.run("run", "--date", "2026-11-19")
            #expect(run.exit == 74)
            #expect(run.stderr == "error: \(sentence)\n")
            #expect(try place.run("doctor").exit == 0)
            try place.scratch.remove(lock)
        }
        // A copy of the output by hard links keeps its file.
        try FileManager.default.linkItem(atPath: place.scratch.path("notes.txt"), toPath: place.scratch.path(lock))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.scratch.text("notes.txt") == "precious")
        #expect(!place.scratch.exists(lock))
    }

    @Test(arguments: ["folder", "fifo", "text"])
    func rowsThatWaitAreNotOverwrittenByOthers(kind: String) throws {
        let place = try Workplace.twoLoaded()
        let waiting = "out/partitions/.waiting.json"
        if kind == "text" { try place.scratch.write("not ours", to: waiting) } else { try place.put(kind, at: waiting) }
        try place.scratch.write(Workplace.hit("h2,d,7") + "\n", to: "logs/2026-11-21.log")
        let first = try place.run("run", "--date", "2026-11-21")
        #expect(first.exit == 74)
        #expect(
            first.stderr.contains(
                "\(waiting): is not what pushetl wrote, so rows of runs and loads that waited there are not in push.db; "
                    + "it was renamed to \(waiting).1; run again"), "\(first)")
        if kind == "text" { #expect(try place.scratch.text(waiting + ".1") == "not ours") }
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        #expect(try place.rows("SELECT log_date FROM partitions ORDER BY 1").count == 3)
        #expect(try place.rows("SELECT log_dates, exit_code FROM runs WHERE exit_code = 74") == ["2026-11-21|74"])
        #expect(place.scratch.exists(waiting + ".1") && !place.scratch.exists(waiting))
    }

    @Test func twoOutputsMayNotShareTheirPartitions() throws {
        let place = try Workplace.twoLoaded()
        try place.scratch.makeFolder("other")
        try place.scratch.makeLink("other/partitions", to: "../out/partitions")
        let run = try place.run("run", "--date", "2026-11-19", "--output", "other")
        #expect(run.exit == 78)
        #expect(
            run.stderr
                == "error: other/partitions: is also the folder of the partitions of out; "
                + "nothing has changed; two outputs cannot share it: make it a folder of its own, or use the other output\n",
            "\(run)")
        #expect(!place.scratch.exists("other/push.db") && !place.scratch.exists("out/partitions/.lock"))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    }

    @Test func partitionsMayBeOnAnotherDisk() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.makeFolder("disk")
        for output in ["out", "other"] {
            try place.scratch.makeFolder(output)
            try place.scratch.makeLink(output + "/partitions", to: "../disk")
        }
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let other = try place.run("run", "--date", "2026-11-19", "--output", "other")
        #expect(other.exit == 78)
        #expect(other.stderr.contains("is also the folder of the partitions of out; "))
        // Once the first output is gone, its partitions are free.
        try place.scratch.remove("out")
        #expect(try place.run("run", "--date", "2026-11-19", "--output", "other").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM days", "other/push.db") == ["1"])
    }

    /// A block of another length, names without their numbers, and a block whose hash is right and whose ids are not sorted.
    @Test(arguments: [
        ("UPDATE events SET block = zeroblob(20000000)", "block 1: invalid size"),
        ("UPDATE deliveries SET delivery = delivery + 4000000000000", "table deliveries is not"),
        ("UPDATE events SET events = 4000000000", "invalid size"),
        ("UPDATE events SET block = unsorted(block)", "a block of events: inconsistent"),
    ])
    func absurdContentIsDamageOfThatPartition(change: String, detail: String) throws {
        let place = try Workplace.twoLoaded()
        let figures = try place.dump()
        let queue = try Connection(path: place.scratch.path(partition))
        try queue.inDatabase { database in
            // With hashes that fit, as somebody may make them.
            guard change.contains("unsorted") else { return try database.execute(sql: change) }
            for row in try Row.fetchAll(database, sql: "SELECT number, block FROM events") {
                let block = unsorted(try row.decode([UInt8].self, atIndex: 1))
                try database.execute(
                    sql: change.replacing("unsorted(block)", with: "?") + " WHERE number = ?",
                    arguments: [block, row[0]])
            }
        }
        try queue.close()
        #expect(try place.run("explain", "h7").exit == 74)
        #expect(try place.run("doctor").exit == 65)
        let run = try place.run("run", "--date", "2026-01-01", "--memory", "64M")
        #expect(run.exit == 74, "\(run)")
        #expect(run.stderr.contains("\(partition): the database is damaged (") && run.stderr.contains(detail), "\(run)")
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        #expect(try place.run(["backfill"] + both).exit == 0)
        #expect(try place.dump() == figures)
    }

    @Test func aHoldIsWrittenOverWhatIsNoFile() throws {
        let place = try Workplace.withHits(["x", "x", "x"])
        try place.scratch.makeFolder("out/partitions/.held")
        let held = "out/partitions/.held/2026-11-19.jsonl"
        mkfifo(place.scratch.path(held), 0o644)
        #expect(try place.run("status").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 65)
        #expect(try place.run("rejects").stdout.contains("logs/2026-11-19.log:1: malformed_line: "))
        try place.put("folder", at: held)
        let run = try place.run("run", "--date", "2026-11-19")
        #expect(run.exit == 74)
        #expect(run.stderr.contains("\(held): rename failed: is a directory; nothing is lost; fix that and run again"))
    }
}
