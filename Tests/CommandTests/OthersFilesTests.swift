import Foundation
import SQLite
import Support
import Testing

private let run = ["run", "--date", "2026-11-19"]
private let next = ["run", "--date", "2026-11-20"]

extension Workplace {
    /// Runs the program, and kills it if it waits for something.
    fileprivate func runAtMost20Seconds(_ arguments: [String]) throws -> Program.Outcome {
        let running = try start(arguments)
        let end = ContinuousClock.now + .seconds(20)
        while running.isRunning, .now < end { usleep(1000) }
        running.send(SIGKILL)
        return try running.wait()
    }
}

/// Links, FIFOs and folders of others in the place of what is pushetl's.
@Suite(.needsPushetl)
struct OthersFilesTests {
    private let place: Workplace

    /// A log date is loaded, another one is there, and `theirs` has files that are named as those of an output are.
    init() throws {
        place = try Workplace.withHits([Workplace.hit("h1,d,7"), Workplace.hit("h2,d,7")])
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-20.log")
        place.settle()
        #expect(try place.run(run).exit == 0)
        for name in [
            "2026-11-19.jsonl", "2026-11-19.inputs", "2026-11-19.shared", "2026-11-19.load", "2026-11-19.sqlite",
            "left",
            "output", "partitions", "job.json", "2026-11-19.1.events", ".left.pushetl-1.tmp",
            ".2026-11-19.sqlite.12-ab.tmp",
        ] {
            try place.scratch.write("precious", to: "theirs/\(name)")
        }
    }

    /// Puts a link to the folder `theirs` in a place of the output.
    private func link(_ name: String) throws {
        try? place.scratch.remove("out/\(name)")
        try place.scratch.makeFolder((("out/" + name) as NSString).deletingLastPathComponent)
        try place.scratch.makeLink("out/\(name)", to: place.scratch.path("theirs"))
    }

    @Test func nothingIsKeptOrRemovedThroughALink() throws {
        let theirs = place.scratch.contentsOfAll("theirs")
        try link("partitions/.kept")
        for _ in 1...2 {
            let outcome = try place.run(next)
            #expect(outcome.exit == 0)
            #expect(
                outcome.stderr == """
                    warning: out/partitions/.kept: is a link, or no folder in which you may write, so each command compares all \
                    anew, and 'status' does not know which partitions are damaged; remove it

                    """)
        }
        #expect(try place.rows("SELECT sum(events), sum(duplicates) FROM daily_actions") == ["2|1"])
        for command in ["status", "doctor"] { #expect(try place.run(command).exit == 0) }
        // A fault that doctor cannot note.
        try Database(place.scratch.path("out/push.db")).execute("UPDATE daily_actions SET events = 7")
        #expect(try place.run("doctor").exit == 65)
        #expect(try place.run(run).exit == 0)
        #expect(try place.rows("SELECT sum(events), sum(duplicates) FROM daily_actions") == ["2|1"])
        #expect(place.scratch.contentsOfAll("theirs") == theirs)
    }

    /// What was left is a file: an empty folder goes, of another one is told.
    @Test func aFolderInThePlaceOfWhatWasLeftMakesPushDBAnewOnce() throws {
        func putFolder() throws {
            try place.scratch.remove("out/partitions/.kept/left")
            try place.scratch.makeFolder("out/partitions/.kept/left")
        }
        func writings() throws -> [String] { try place.rows("SELECT count(DISTINCT number) FROM changes") }
        try putFolder()
        for _ in 1...3 {
            let outcome = try place.run(run)
            #expect(outcome.exit == 0 && outcome.stderr.isEmpty, "\(outcome)")
        }
        #expect(try writings() == ["2"])
        try putFolder()
        try place.scratch.write("precious", to: "out/partitions/.kept/left/theirs")
        #expect(
            try place.run(run).stderr == """
                warning: out/partitions/.kept/left: is a folder with something in it, where pushetl has files alone, so each \
                command may compare all anew; remove it

                """)
        #expect(place.scratch.exists("out/partitions/.kept/left/theirs"))
    }

    @Test func aLinkInThePlaceOfAFolderEndsWith74() throws {
        let name = "partitions/.held"
        let theirs = place.scratch.contentsOfAll("theirs")
        try link(name)
        let output = place.scratch.contentsOfAll("out")
        for command in [run, next, ["backfill", "--from", "2026-11-19", "--to", "2026-11-20"]] {
            let outcome = try place.run(command)
            #expect(outcome.exit == 74)
            #expect(
                outcome.stderr == """
                    error: out/\(name): is a link, and pushetl needs a folder of its own there; nothing has changed; put that \
                    folder in its place, or remove it, and run again

                    """)
        }
        #expect(try place.run("status").exit == 0)
        #expect(place.scratch.contentsOfAll("theirs") == theirs)
        #expect(place.scratch.contentsOfAll("out") == output)
    }

    @Test func aLinkIsNoFolderOfAJob() throws {
        let theirs = place.scratch.contentsOfAll("theirs")
        try link("partitions/.jobs/0123456789abcdef")
        #expect(try place.run(next).exit == 0)
        #expect(place.scratch.contentsOfAll("theirs") == theirs)
        #expect(place.scratch.exists("out/partitions/.jobs/0123456789abcdef/left"))
    }

    @Test func aTextFileInThePlaceOfPushDBIsLeftAlone() throws {
        try place.scratch.write("precious\n", to: "notes.txt")
        try place.scratch.remove("out/push.db")
        try place.scratch.makeLink("out/push.db", to: "../notes.txt")
        for command in [["status"], run, next, ["report"], run] {
            let outcome = try place.run(command)
            #expect(outcome.exit == 74)
            #expect(
                outcome.stderr == """
                    error: out/push.db: is not a SQLite database; it was left as it is; move the file away and run again, which \
                    makes it anew

                    """)
        }
        #expect(try place.scratch.text("notes.txt") == "precious\n")
        #expect(try place.scratch.names(".").filter { $0.contains("push.db") } == [])
        try place.scratch.remove("out/push.db")
        #expect(try place.run(run).exit == 0)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
    }

    @Test(arguments: ["-journal", "-wal", "-shm"], ["a FIFO", "a link", "a folder"])
    func whatSQLiteWouldWaitForOrWriteThroughEndsWith74(suffix: String, kind: String) throws {
        try place.scratch.write("precious\n", to: "notes.txt")
        let name = "out/push.db\(suffix)"
        switch kind {
        case "a FIFO": #expect(mkfifo(place.scratch.path(name), 0o600) == 0)
        case "a link": try place.scratch.makeLink(name, to: "../notes.txt")
        default: try place.scratch.makeFolder(name)
        }
        let sentence =
            "\(name): is a link, a folder or something else, and SQLite needs that name for a file of its own; "
            + "nothing has changed; remove it and run again\n"
        for command in [run, next, ["status"], ["report"], ["export", "csv", "--out", "x"]] {
            let outcome = try place.runAtMost20Seconds(command)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr == "error: \(sentence)", "\(command): \(outcome)")
        }
        let doctor = try place.runAtMost20Seconds(["doctor"])
        #expect([65, 74].contains(doctor.exit), "\(doctor)")
        #expect((doctor.stdout + doctor.stderr).contains("push.db\(suffix)"), "\(doctor)")
        #expect(try place.scratch.text("notes.txt") == "precious\n")
        try place.scratch.remove(name)
        #expect(try place.run(next).exit == 0)
    }

    /// Nobody writes to the FIFO, so whoever opens it waits for ever.
    @Test(arguments: [
        "2026-11-19.sqlite", "2026-11-19.sqlite-journal", "2026-11-19.sqlite-wal", ".lock", "closed", ".held",
    ])
    func aFIFOIsNotWaitedFor(name: String) throws {
        let path = "out/partitions/\(name)"
        if place.scratch.exists(path) { try place.scratch.remove(path) }
        #expect(mkfifo(place.scratch.path(path), 0o600) == 0)
        let outcome = try place.runAtMost20Seconds(next)
        #expect(outcome.exit == 74)
        let file = name.replacing(/-(journal|wal)/, with: "")
        #expect(outcome.stderr.contains("error: out/partitions/\(file): "), "\(outcome)")
        for command in [["status"], ["doctor"], ["report"], ["explain", "h1"]] {
            #expect(try place.runAtMost20Seconds(command).exit >= 0, "\(command)")
        }
    }
}
