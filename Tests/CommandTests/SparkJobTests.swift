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

    /// `SparkJob` compares the bytes of two attempts of a map task.
    @Test func attemptsGiveTheSameWheneverTheyLookAtAFile() throws {
        let place = try Workplace.twoDates()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let log = place.scratch.path("logs/2026-11-19.log")
        var tried: Set<String> = []
        let (outcome, _) = try place.job(range) { job in
            job.willTryAgain = { task, _ in
                tried.insert(task)
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: log)
            }
        }
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(tried == ["spark-map", "spark-reduce"])
        #expect(try place.figures() == place.expected())
        let state = try place.run("status", "--check", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(state.exit == 0, "\(state.stdout)")
    }

    @Test func checksAreAskedAndKeptAsOnOneMachine() throws {
        let place = try Workplace.twoDates()
        let pipeline = try place.scratch.text("push.yaml")
        let checks = """
            checks:
              - {name: any_open, severity: fail, sql: "SELECT day, opened FROM daily_totals WHERE opened > 0"}
              - {name: seen, sql: "SELECT delivery_id, impressed FROM delivery_results WHERE impressed > 99"}

            """
        try place.scratch.write(pipeline + checks, to: "push.yaml")
        #expect(try place.job().outcome.exit == 0)
        let found = try place.job(["--date", "2026-11-20"]).outcome
        #expect(found.exit == 65)
        let sentence = "error: check 'any_open' found 1 row: day 2026-11-19, opened 16\n"
        #expect(found.stderr.hasSuffix(sentence), "\(found.stderr)")
        let plain = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20", "--output", "plain")
        #expect(plain.exit == 65)
        #expect(plain.stderr.hasSuffix(sentence), "\(plain.stderr)")
        #expect(try place.figures() == place.figures("plain"))
        let reports = try ["out", "plain"].map { try place.run("report", "--text", "--output", $0).stdout }
        #expect(reports[0].contains("Check 'any_open' found 1 row"))
        #expect(reports[0] == reports[1])
    }

    @Test(arguments: ["map", "after map", "after reduce"])
    func aDriverThatDiesHasChangedNothing(_ moment: String) throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let before = try place.figures()
        let (outcome, _) = try place.job(["--date", "2026-11-20"]) { job in job.goesOn = { next, _ in next != moment } }
        #expect(outcome.exit == -9)
        #expect(try place.figures() == before)
        #expect(try place.run("doctor").exit == 0)
        // The folder of a dead job holds ids.
        let dates = moment == "map" ? 1 : 2
        #expect(try place.run("status", "--json").stdout.contains("\"ids_log_dates\" : \(dates),"))
        #expect(try place.job(["--date", "2026-11-20"]).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
        let shard = try place.scratch.names("out/shards/0/partitions")
        #expect(shard.count { $0.hasSuffix(".sqlite") } == 2)
        #expect(try place.scratch.names("out/shards") == ["0", "1", "2"])
    }

    @Test func aPlainLoadRemovesWhatADeadFirstJobHasLeft() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in job.goesOn = { next, _ in next != "after reduce" } }
        #expect(outcome.exit == -9)
        #expect(try place.run("status", "--json").stdout.contains("\"ids_log_dates\" : 1,"))
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(!place.scratch.exists("out/shards"))
        #expect(try place.figures() == place.expected())
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
        #expect(steps == ["done"])
        #expect(try place.figures() == place.expected())
    }

    /// What happens to the files of a job, and what is said then.
    @Test(arguments: [
        ("after map", "whole", "is not as a task has written it; nothing was published; run the job again"),
        ("reduce", "deliveries", "is not as a task has written it; nothing was published; run the job again"),
        ("after map", nil, "logs/2026-11-19.log: no task has read the file; nothing was published; run the job again"),
        ("reduce", nil, "logs/2026-11-19.log: no task has read the file; nothing was published; run the job again"),
    ])
    func aDamagedOrLostFileFailsTheJob(_ moment: String, _ damaged: String?, _ sentence: String) throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, folder in
                guard next == moment else { return true }
                let file = URL(fileURLWithPath: folder + "/2026-11-19.0.events")
                var bytes = try Data(contentsOf: file)
                try FileManager.default.removeItem(at: file)
                guard let damaged, let place = bytes.range(of: Data(damaged.utf8)) else { return true }
                bytes[place.lowerBound] ^= 1
                try bytes.write(to: file)
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.hasSuffix(sentence + "\n"), "\(outcome.stderr)")
        #expect(!place.scratch.exists("out/push.db"))
        #expect(try place.job().outcome.exit == 0)
    }

    /// An attempt that comes late has read other bytes than those that were judged.
    @Test func aFileThatChangesFailsTheJob() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, folder in
                guard next == "reduce" else { return true }
                try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-19.log")
                return try place.run("spark-map", "--job", folder, "--file", "0").exit == 0
            }
        }
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr == "error: logs/2026-11-19.log: the file changed while the job was running; "
                + "nothing was published; run the job again when nothing writes to it\n")
    }

    @Test(arguments: [
        ("partitions", "no task has written what shard 1 has of the log date"),
        ("ledger.sqlite", "the ledger of shard 1 does not hold what was loaded, as if a late task had written it"),
    ])
    func aShardThatLacksWhatWasWrittenFailsTheJob(_ lost: String, _ sentence: String) throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, _ in
                if next == "after reduce" { try place.scratch.remove("out/shards/1/" + lost) }
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: \(sentence); nothing was published; run the job again\n")
        #expect(!place.scratch.exists("out/push.db"))
    }

    /// What damages a partition of shard 1, and what is said of it. The night after, it is loaded again.
    @Test(arguments: [(true, "database disk image is malformed"), (false, "the file is missing")])
    func aDamagedPartitionOfAShardIsLoadedAgain(_ isThere: Bool, _ detail: String) throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let name = try #require(
            place.scratch.names("out/shards/1/partitions").first { $0.hasPrefix("2026-11-19.") })
        let path = "out/shards/1/partitions/" + name
        let cut = try place.scratch.bytes(path).prefix(5000)
        if isThere { try place.scratch.write(cut, to: path) } else { try place.scratch.remove(path) }
        let night = ["--date", "2026-11-20", "--catch-up", "1"]
        let failed = try place.job(night).outcome
        #expect(failed.exit == 74)
        let sentence = "shards/1/partitions/\(name): the database is damaged (\(detail)); load that log date again: "
        #expect(failed.stderr.contains(sentence + "'pushetl_spark.py run --date 2026-11-19'"), "\(failed.stderr)")
        #expect(try place.run("status", "--json").stdout.contains("\"status\" : \"damaged\""))
        let outcome = try place.job(night).outcome
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(try place.figures() == place.expected())
        #expect(try place.run("status", "--check", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(try place.run("doctor").exit == 0)
    }

    /// Of a shard's partition, and of the one with the accounts of the log date.
    @Test(arguments: ["out/shards/1/partitions", "out/partitions"])
    func whatDoctorFindsDamagedIsLoadedAgain(_ folder: String) throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let name = try #require(
            place.scratch.names(folder).first { $0.hasPrefix("2026-11-19.") && $0.hasSuffix(".sqlite") })
        let sql = "UPDATE sources SET name = 'other'; UPDATE rejects SET line = 7"
        try execute(sql, on: place.scratch.path("\(folder)/\(name)"))
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 65)
        #expect(doctor.stdout.contains("load those log dates again: 'pushetl_spark.py run --date DATE'"))
        let outcome = try place.job(["--date", "2026-11-20", "--catch-up", "1"]).outcome
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("2026-11-19  complete"), "\(outcome.stdout)")
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.figures() == place.expected())
    }

    /// The task has left it whole, and the driver cannot read it.
    @Test func aLedgerThatIsDamagedWhileItIsAddedUpIsNamedAndMadeAnew() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, _ in
                guard next == "after reduce" else { return true }
                let path = "out/shards/1/ledger.sqlite"
                let page = try #require(
                    place.rows("SELECT (rootpage - 1) * 4096 FROM sqlite_schema WHERE name = 'hours'", path)
                        .first.flatMap { Int($0) })
                var bytes = try place.scratch.bytes(path)
                for byte in page..<(page + 100) { bytes[byte] = 0xFF }
                try place.scratch.write(bytes, to: path)
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("out/shards/1/ledger.sqlite: the database is damaged"), "\(outcome.stderr)")
        #expect(try place.job(["--date", "2026-11-20"]).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
    }
}
