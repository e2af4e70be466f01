import Foundation
import Support
import Testing

private let pipeline = Workplace.onePipeline + "deliveries:\n  files: deliveries/*.csv\n"

/// Three messages of two deliveries are loaded, and `file` names some deliveries.
private func loaded(_ file: String) throws -> Workplace {
    let place = try Workplace.withHits(
        [
            Workplace.hit("h1,d1,7", agent: "Android"), Workplace.hit("h1,d1,1", "10:00:05", agent: "Android"),
            Workplace.hit("h2,d1,7", agent: "iPhone"), Workplace.hit("h3,d2,7", agent: "iPhone"),
        ], pipeline: pipeline)
    try place.scratch.write(file, to: "deliveries/a.csv")
    place.settle()
    return place
}

/// What a transcript cannot do: files that change while they are read, and many rows.
@Suite(.needsPushetl)
struct DeliveriesTests {
    /// A file of many rows, so that reading it takes a while.
    private func manyRows(_ count: Int) -> String {
        "delivery_id,label,sent\n" + (0..<count).map { "e\($0),Wave \($0),\($0)\n" }.joined()
    }

    /// Starts a run, and stops it while it has the delivery file open. Nil if the run was too fast for that.
    private func stopped(_ place: Workplace) throws -> RunningProgram? {
        let running = try place.start(["run", "--date", "2026-11-19"], until: "out/partitions/2026-11-19.sqlite")
        let path = place.scratch.url.resolvingSymlinksInPath().path + "/deliveries/a.csv"
        while running.isRunning {
            guard running.hasOpen(path) else {
                usleep(100)
                continue
            }
            running.send(SIGSTOP)
            usleep(1000)
            if running.hasOpen(path) { return running }
            running.send(SIGCONT)
        }
        return nil
    }

    @Test(arguments: ["append", "truncate", "replace"])
    func aFileThatIsWrittenToWhileItIsReadCannotBeUsed(change: String) throws {
        var rows = 100_000
        while true {
            let place = try loaded(manyRows(rows))
            guard let running = try stopped(place) else {
                rows *= 2
                continue
            }
            let path = place.scratch.path("deliveries/a.csv")
            switch change {
            case "append":
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data("d2,late,2\n".utf8))
                try file.close()
            case "truncate": truncate(path, 100)
            default: try place.scratch.write("delivery_id,label\nd1,other\n", to: "deliveries/a.csv")
            }
            running.send(SIGCONT)
            let outcome = try running.wait()
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr
                    == "error: deliveries/a.csv: the file changed while it was read; run again when it is complete; "
                    + "until then no delivery has a name\n")
            #expect(try place.rows("SELECT delivery_id, in_file FROM deliveries") == ["d1|0", "d2|0"])

            place.settle()
            #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").exit == 0)
            let label = try place.rows(
                "SELECT label FROM deliveries WHERE delivery_id = 'd\(change == "append" ? 2 : 1)'")
            #expect(label == [change == "append" ? "late" : change == "truncate" ? "" : "other"])
            return
        }
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func aMillionRowsTakeBoundedMemory() throws {
        let place = try loaded(manyRows(1_000_000) + "D1,Black,7\n")
        // In KiB, of the memory that the program asks for.
        let limited = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        let script = "ulimit -d 600000 && exec \"$0\" \"$@\""
        let outcome = try limited.run(
            ["-c", script, place.program.executable.path, "run", "--date", "2026-11-19", "--pipeline", "push.yaml"],
            in: place.scratch.url)
        #expect(outcome.exit == 0)
        #expect(try place.rows("SELECT count(*), sum(sent) FROM delivery_results") == ["1000002|499999500007"])
        #expect(
            try place.rows("SELECT delivery_id, label, sent FROM delivery_results WHERE messages > 0") == [
                "d1|Black|7", "d2||",
            ])
    }
}
