import Foundation
import Support
import Testing

private let day = ["--date", "2026-11-19"]

extension Workplace {
    /// Two log dates with messages of both, and a line that is rejected.
    fileprivate static func twoDates() throws -> Workplace {
        let place = try withHits(
            (1...40).map { hit("h\(String($0, radix: 16)),d\($0 % 3),7") } + ["junk"],
            pipeline: onePipeline.replacing("sources:", with: "limits: {reject_ratio: 1}\nsources:"))
        let later = (30...60).map { hit("h\(String($0, radix: 16)),d1,\($0 % 2 == 0 ? 1 : 7)") + "\n" }
        try place.scratch.write(later.joined(), to: "logs/2026-11-20.log")
        return place
    }

    /// A job of three shards.
    @discardableResult
    fileprivate func job(
        _ arguments: [String] = day, shards: [String] = ["--shards", "3"], _ prepare: (SparkJob) -> Void = { _ in }
    ) throws -> (outcome: Program.Outcome, steps: [String]) {
        let job = try SparkJob(program, in: scratch.url)
        prepare(job)
        let outcome = try job.run(arguments + shards + ["-p", "push.yaml"])
        return (outcome, job.steps)
    }

    fileprivate func figures(_ output: String = "out") throws -> [String] {
        try dump(output + "/push.db", besides: ["publication"])
    }

    /// Loads both log dates plainly into another output.
    fileprivate func expected() throws -> [String] {
        #expect(try run("backfill", "--from", "2026-11-19", "--to", "2026-11-20", "--output", "plain").exit == 0)
        return try figures("plain")
    }
}

/// What happens to a job on Apache Spark in which something goes wrong, and what other commands make of an output with shards.
@Suite(.needsPushetl)
struct SparkJobTests {
    @Test func aJobPrintsWhatARunPrintsAndTheOtherCommandsWork() throws {
        let place = try Workplace.twoDates()
        place.settle()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let (outcome, steps) = try place.job(range)
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(steps == ["map", "reduce", "figures", "done"])
        #expect(outcome.stdout.hasPrefix("2026-11-19  complete  1 file  3.5 kB  41 records  40 events  "))
        #expect(try place.figures() == place.expected())
        let commands = [
            ["rejects"], ["rejects", "--summary"], ["explain", "h1e"], ["explain", "1"], ["explain", "h99"],
            ["status", "--json"],
        ]
        for command in commands {
            let plain = try place.run(command + ["--output", "plain"])
            let sharded = try place.run(command)
            // The same ids take another number of bytes in shards.
            func text(_ outcome: Program.Outcome) -> String {
                outcome.stdout.replacing("out/", with: "plain/").replacing(/"ids_bytes" : [0-9]+/, with: "")
            }
            #expect(text(sharded) == text(plain))
            #expect(sharded.exit == plain.exit)
        }
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.run("report", "--out", "a.html").exit == 0)
        #expect(try place.run("report", "--out", "b.html", "--output", "plain").exit == 0)
        #expect(place.bytes("a.html") == place.bytes("b.html"))

        // Nothing is left to do, and nothing is written.
        let before = place.outputBytes()
        let again = try place.job(range)
        #expect(again.outcome.exit == 0)
        #expect(again.steps == ["done"])
        let after = place.outputBytes()
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == [])
        #expect(after.keys == before.keys)
    }

    /// `SparkJob` compares the bytes of two attempts of a task of each kind.
    @Test func attemptsGiveTheSameBytesWheneverTheyLookAtAFile() throws {
        let place = try Workplace.twoDates()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let log = place.scratch.path("logs/2026-11-19.log")
        var tried: Set<String> = []
        let (outcome, _) = try place.job(range) { job in
            job.willTryAgain = { task in
                tried.insert(task)
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: log)
            }
        }
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(tried == ["spark-map", "spark-reduce", "spark-figures", "spark-add"])
        #expect(try place.figures() == place.expected())
        let state = try place.run("status", "--check", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(state.exit == 0, "\(state.stdout)")
    }

    @Test func twoDriversPrintTheSame() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job(["--date", "2026-11-19"]).outcome.exit == 0)
        try FileManager.default.copyItem(atPath: place.scratch.path("out"), toPath: place.scratch.path("before"))
        let lines = try (0..<2).map { _ in
            try place.scratch.remove("out")
            try FileManager.default.copyItem(atPath: place.scratch.path("before"), toPath: place.scratch.path("out"))
            let job = try SparkJob(place.program, in: place.scratch.url)
            #expect(try job.run(["--date", "2026-11-20", "-p", "push.yaml"]).exit == 0)
            return job.lines
        }
        #expect(lines[0].count == 4)
        #expect(lines[0] == lines[1])
    }

    @Test func filesAtURIsComeThroughSpark() throws {
        let place = try Workplace.twoDates()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        _ = try place.expected()
        let root = place.scratch.root + "/logs/"
        let text = try place.scratch.text("push.yaml").replacing("logs/%Y", with: "hdfs://nn:8020/a b/[lx]ogs/%Y")
        try place.scratch.write(text, to: "remote.yaml")
        let names = ["logs/2026-11-19.log", "logs/2026-11-20.log", "logs/_2026-11-20.log", "mogs/2026-11-20.log"]
        let found = names.map { name in
            (
                uri: "hdfs://nn:8020/a b/" + name,
                path: root + (name.hasSuffix("19.log") ? "2026-11-19" : "2026-11-20") + ".log"
            )
        }
        func job(_ arguments: [String]) throws -> (
            outcome: Program.Outcome, job: SparkJob
        ) {
            let job = try SparkJob(place.program, in: place.scratch.url)
            // The glob finds more than the pattern matches.
            job.found = { _ in found }
            return (try job.run(arguments + ["--shards", "3", "-p", "remote.yaml"]), job)
        }
        // Long enough ago for the time to tell all changes.
        func touch(_ name: String, at seconds: Double) throws {
            let time = Date(timeIntervalSince1970: seconds)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: root + name)
        }
        try touch("2026-11-19.log", at: 1_700_000_000)
        try touch("2026-11-20.log", at: 1_700_000_000)
        let first = try job(range)
        #expect(first.outcome.exit == 0, "\(first.outcome.stderr)")
        #expect(first.job.globs == ["hdfs://nn:8020/a b/?ogs/????-??-??.log"])
        #expect(first.job.steps == ["find", "map", "reduce", "figures", "done"])
        let files = "SELECT log_date, path FROM files ORDER BY 1"
        let daily = "SELECT * FROM daily_actions"
        #expect(
            try place.rows(files) == [
                "2026-11-19|hdfs://nn:8020/a b/logs/2026-11-19.log",
                "2026-11-20|hdfs://nn:8020/a b/logs/2026-11-20.log",
            ])
        #expect(try place.rows(daily) == place.rows(daily, "plain/push.db"))
        // Without a look at the bytes: the listing tells what has changed.
        #expect(try job(range).job.steps == ["find", "done"])
        try touch("2026-11-20.log", at: 1_700_000_001)
        let changed = try job(range)
        #expect(changed.job.steps == ["find", "map", "reduce", "done"])
        #expect(changed.outcome.stdout.hasPrefix("2026-11-20  "))
        let single = try job(["--date", "2026-11-19"])
        #expect(single.job.globs == ["hdfs://nn:8020/a b/?ogs/2026-11-19.log"])
        // Others cannot list the files, and say nothing of them.
        let status = try place.run("status", "-p", "remote.yaml")
        #expect(status.exit == 0)
        #expect(!status.stdout.contains("gone"))
        for command in [["run"] + day, ["backfill", "--last", "3"], ["preview"] + day] {
            let output = command[0] == "preview" ? [] : ["--output", "other"]
            let outcome = try place.run(command + ["-p", "remote.yaml"] + output)
            #expect(outcome.exit == 78)
            #expect(
                outcome.stderr.contains(
                    "(hdfs://nn:8020/a b/[lx]ogs/%Y-%m-%d.log) is at a URI, which only pushetl_spark.py can read; load")
            )
        }
    }

    @Test func aFileAtAURIMayHaveOneGibibyte() throws {
        let place = try Workplace.twoDates()
        try place.scratch.write(
            try place.scratch.text("push.yaml").replacing("logs/%Y", with: "s3a://bucket/%Y"), to: "remote.yaml")
        let large = place.scratch.root + "/large"
        try place.scratch.write("", to: "large")
        truncate(large, 1 << 30 + 1)
        let job = try SparkJob(place.program, in: place.scratch.url)
        job.found = { _ in [("s3a://bucket/2026-11-19.log", large)] }
        let outcome = try job.run(day + ["--shards", "3", "-p", "remote.yaml"])
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr.contains(
                "s3a://bucket/2026-11-19.log: is larger than 1 GiB, the most that comes through Spark from a URI; the former "
                    + "content is kept; split the file, or give a path on a file system that all machines share"))
        #expect(job.steps == ["find", "done"])
    }

    @Test func theFirstLoadDecidesTheNumberOfShards() throws {
        let place = try Workplace.twoDates()
        let unknown = try place.job(shards: []).outcome
        #expect(unknown.exit == 78)
        #expect(unknown.stderr == "error: out: has no shards yet; give their number with --shards\n")
        #expect(!place.scratch.exists("out"))
        #expect(try place.job().outcome.exit == 0)
        let other = try place.job(shards: ["--shards", "4"]).outcome
        #expect(other.exit == 78)
        #expect(other.stderr.hasPrefix("error: out: has 3 shards, and --shards says 4; the first load decides: "))
        #expect(try place.job(["--date", "2026-11-20"], shards: []).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
    }

    @Test func aPlainLoadAndAJobDoNotShareAnOutput() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let before = place.outputBytes()
        for command in [["run"] + day, ["backfill", "--last", "3"]] {
            let outcome = try place.run(command)
            #expect(outcome.exit == 78)
            #expect(
                outcome.stderr
                    == "error: out: has 3 shards and is written by pushetl_spark.py only; use that, or give another output\n"
            )
        }
        #expect(place.outputBytes() == before)
        _ = try place.expected()
        let outcome = try place.job(day + ["--output", "plain"]).outcome
        #expect(outcome.exit == 78)
        #expect(outcome.stderr.contains("plain: was written by a plain 'run' or 'backfill' and has no shards; "))
    }

    @Test func onlyOneCommandWritesAtATime() throws {
        let place = try Workplace.twoDates()
        var others: [Program.Outcome] = []
        let outcome = try place.job { job in
            job.goesOn = { step in
                if step == "reduce" {
                    others.append(try place.job().outcome)
                    others.append(try place.run(["run"] + day))
                }
                return true
            }
        }.outcome
        #expect(outcome.exit == 0)
        #expect(others.map(\.exit) == [75, 75])
        #expect(
            others[0].stderr.contains(
                "out: another command is writing there (pushetl spark run --date 2026-11-19, process "))
    }

    @Test(arguments: ["map", "reduce", "figures"])
    func aDriverThatDiesHasChangedNothing(_ step: String) throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let before = try place.figures()
        let (outcome, _) = try place.job(["--date", "2026-11-20"]) { job in job.goesOn = { $0 != step } }
        #expect(outcome.exit == -9)
        #expect(try place.figures() == before)
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.job(["--date", "2026-11-20"]).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
        let shard = try place.scratch.names("out/shards/0/partitions")
        #expect(shard.count { $0.hasSuffix(".sqlite") } == 2)
        #expect(shard.count == 3)
        #expect(try place.scratch.names("out/shards") == ["0", "1", "2"])
    }

    /// A reader keeps the job from publishing, so it ends as if it had died between the manifest and push.db.
    @Test func theNextJobPublishesWhatIsLoaded() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let busy = try whileRead(place.scratch.path("out/push.db")) {
            try place.job(["--date", "2026-11-20", "--wait", "0"]).outcome
        }
        #expect(busy.exit == 75)
        #expect(place.scratch.exists("out/partitions/2026-11-20.json"))
        let (outcome, steps) = try place.job(["--date", "2026-01-01"])
        #expect(outcome.exit == 66)
        #expect(steps == ["reduce", "figures", "done"])
        #expect(try place.figures() == place.expected())
    }

    @Test func aDamagedFrameFailsTheJob() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.willPass = { step, frames in
                guard step == "events" else { return }
                frames[0].bytes[frames[0].bytes.count - 3] ^= 1
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: a frame was damaged on the way; nothing was published; run the job again\n")
        #expect(!place.scratch.exists("out/push.db"))
        #expect(try place.job().outcome.exit == 0)
    }

    @Test func aFrameOfOtherBytesOfAFileFailsTheJob() throws {
        let place = try Workplace.twoDates()
        var former: [SparkJob.Frame] = []
        try place.job { job in
            job.willPass = { step, frames in if step == "events" { former = frames.filter { $0.kind == 1 } } }
        }
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-19.log")
        let (outcome, _) = try place.job { job in
            job.willPass = { step, frames in
                if step == "events" { frames = frames.filter { $0.kind == SparkJob.accounts } + former }
            }
        }
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr == "error: logs/2026-11-19.log: the file changed while the job was running; "
                + "nothing was published; run the job again when nothing writes to it\n")
    }

    @Test func aLostFrameFailsTheJob() throws {
        let place = try Workplace.twoDates()
        for (lost, sentence) in [
            ("events", "got 0 of "), ("map", "logs/2026-11-19.log: no accounts of the file arrived; "),
            ("reduce", "nothing arrived from shard "), ("shards", "nothing arrived from shard "),
            ("figures", "no figures of 2026-"),
        ] {
            let (outcome, _) = try place.job { job in
                job.willPass = { step, frames in
                    guard step == lost, let index = frames.firstIndex(where: { lost != "events" || $0.kind == 1 })
                    else {
                        return
                    }
                    frames.remove(at: index)
                }
            }
            #expect(outcome.exit == 70)
            #expect(outcome.stderr.contains(sentence), "\(outcome.stderr)")
            #expect(outcome.stderr.hasSuffix("frames were lost on the way; nothing was published; run the job again\n"))
            #expect(!place.scratch.exists("out/push.db"))
        }
    }

    @Test func aTaskSaysWhatItsMachineLacks() throws {
        let place = try Workplace.twoDates()
        let version = try place.job { job in job.willDescribe = { $0["version"] = "0.9.0" } }.outcome
        #expect(version.exit == 74)
        #expect(version.stderr.hasPrefix("error: this machine has pushetl 1."))
        #expect(version.stderr.contains(", and the job was started by 0.9.0; install the same version on all machines"))
        let output = try place.job { job in job.willDescribe = { $0["output"] = "/nowhere" } }.outcome
        #expect(output.exit == 74)
        #expect(
            output.stderr == "error: /nowhere: is not the folder that the driver works in, or the job is over; "
                + "give an output that is on a file system shared by all machines\n")
        let zone = try place.job { job in job.willDescribe = { $0["zone"] = "of another tzdata" } }.outcome
        #expect(zone.exit == 74)
        #expect(zone.stderr.contains("the rules of the time zone UTC differ between this machine and the driver; "))
        let memory = try place.job { job in job.taskOptions = ["--memory", "1M"] }.outcome
        #expect(memory.exit == 64)
        #expect(memory.stderr.contains("--memory takes at least 16M."))
        #expect(!place.scratch.exists("out/push.db"))
    }

    @Test func aFileThatVanishesHoldsItsDateBack() throws {
        let place = try Workplace.twoDates()
        let (outcome, steps) = try place.job(["--from", "2026-11-19", "--to", "2026-11-20"]) { job in
            job.goesOn = { step in
                if step == "map" { try place.scratch.remove("logs/2026-11-20.log") }
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(steps == ["map", "reduce", "figures", "done"])
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-20: held back: logs/2026-11-20.log: cannot be read: no such file or directory; "))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19"])
    }

    @Test func aDamagedPartitionOfAShardIsNamedAndRepaired() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let name = try #require(
            place.scratch.names("out/shards/1/partitions").first { $0.hasPrefix("2026-11-19.") })
        let path = "out/shards/1/partitions/" + name
        try place.scratch.write(place.scratch.bytes(path).prefix(5000), to: path)
        #expect(try place.run("doctor").exit == 65)
        let other = try place.job(["--date", "2026-11-20"]).outcome
        #expect(other.exit == 74)
        #expect(other.stderr.contains("shards/1/partitions/\(name): the database is damaged"))
        #expect(try place.job().outcome.exit == 0)
        #expect(try place.job(["--date", "2026-11-20"]).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
        #expect(try place.run("doctor").exit == 0)
    }
}
