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

    @discardableResult
    fileprivate func job(
        _ arguments: [String] = day, _ prepare: (SparkJob) -> Void = { _ in }
    ) throws -> (outcome: Program.Outcome, steps: [String]) {
        let job = try SparkJob(program, in: scratch.url)
        prepare(job)
        let outcome = try job.run(arguments + ["-p", "push.yaml"])
        return (outcome, job.steps)
    }

    fileprivate func figures(_ output: String = "out") throws -> [String] {
        try dump(output + "/push.db")
    }

    /// Loads both log dates plainly into another output.
    fileprivate func expected() throws -> [String] {
        #expect(try run("backfill", "--from", "2026-11-19", "--to", "2026-11-20", "--output", "plain").exit == 0)
        return try figures("plain")
    }
}

/// What happens to a job on Apache Spark in which something goes wrong.
@Suite(.needsPushetl)
struct SparkJobTests {

    /// `SparkJob` compares the bytes of two attempts of a task.
    @Test func attemptsGiveTheSameWheneverTheyLookAtAFile() throws {
        let place = try Workplace.twoDates()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let log = place.scratch.path("logs/2026-11-19.log")
        var tries = 0
        let (outcome, _) = try place.job(range) { job in
            job.willTryAgain = { _ in
                tries += 1
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: log)
            }
        }
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(tries == 1)
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

    @Test(arguments: ["read", "after read"])
    func aDriverThatDiesHasChangedNothing(_ moment: String) throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let before = try place.figures()
        let (outcome, _) = try place.job(["--date", "2026-11-20"]) { job in job.goesOn = { next, _ in next != moment } }
        #expect(outcome.exit == -9)
        #expect(try place.figures() == before)
        #expect(try place.run("doctor").exit == 0)
        // The folder of a dead job holds ids.
        let dates = moment == "read" ? 1 : 2
        #expect(try place.run("status", "--json").stdout.contains("\"ids_log_dates\" : \(dates),"))
        #expect(try place.job(["--date", "2026-11-20"]).outcome.exit == 0)
        #expect(try place.figures() == place.expected())
        #expect(!place.scratch.exists("out/partitions/.jobs"))
    }

    @Test func aPlainLoadRemovesWhatADeadFirstJobHasLeft() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in job.goesOn = { next, _ in next != "after read" } }
        #expect(outcome.exit == -9)
        #expect(try place.run("status", "--json").stdout.contains("\"ids_log_dates\" : 1,"))
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(!place.scratch.exists("out/partitions/.jobs"))
        #expect(try place.figures() == place.expected())
    }

    /// A reader keeps the job from publishing, so it ends as if it had died before push.db was written.
    @Test func theNextJobPublishesWhatIsLoaded() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().outcome.exit == 0)
        let busy = try whileRead(place.scratch.path("out/push.db")) {
            try place.job(["--date", "2026-11-20", "--wait", "0"]).outcome
        }
        #expect(busy.exit == 75)
        #expect(place.scratch.exists("out/partitions/2026-11-20.sqlite"))
        let (outcome, steps) = try place.job(["--date", "2026-01-01"])
        #expect(outcome.exit == 66)
        #expect(steps == ["done"])
        #expect(try place.figures() == place.expected())
    }

    private static let damaged = "2026-11-19.0.events: is not as a task has written it"

    /// What happens to what a task has written, and what is said then.
    @Test(arguments: [
        ("", "logs/2026-11-19.log: no task has read the file"),
        ("UPDATE documents SET content = '{}' WHERE name = 'head'", damaged),
        ("UPDATE documents SET content = CAST(replace(content, '\"records\":', '\"records\":1') AS BLOB)", damaged),
        ("DELETE FROM documents WHERE name = 'accounts'", damaged),
        ("UPDATE blocks SET block = CAST(substr(block, 1, 99) || x'77' || substr(block, 101) AS BLOB)", damaged),
        ("UPDATE blocks SET section = section + 1", damaged), ("DELETE FROM blocks", damaged),
        ("DROP TABLE blocks", damaged),
    ])
    func whatIsNotAsATaskHasWrittenItFailsTheJob(_ change: String, _ sentence: String) throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, folder in
                guard next == "after read" else { return true }
                let file = folder + "/2026-11-19.0.events"
                if change.isEmpty {
                    try FileManager.default.removeItem(atPath: file)
                } else {
                    try execute(change, on: file)
                }
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.hasSuffix(sentence + "; run the job again\n"), "\(outcome.stderr)")
        #expect(!place.scratch.exists("out/push.db") && !place.scratch.exists("out/partitions/2026-11-19.sqlite"))
        #expect(!place.scratch.exists("out/partitions/.jobs"))
        #expect(try place.job().outcome.exit == 0)
    }

    /// Of another log file of the same job, or of a job with another pipeline.
    @Test(arguments: [true, false])
    func whatWasMadeOfSomethingElseFailsTheJob(_ isOfSameJob: Bool) throws {
        let place = try Workplace.twoDates()
        let other = place.scratch.path("other.events")
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let pipeline = try place.scratch.text("push.yaml")
        try place.scratch.write(
            pipeline.replacing("collector\n", with: "collector\n    require_mcid: false\n    id_space: mail\n"),
            to: "push.yaml")
        _ = try place.job(range) { job in
            job.goesOn = { next, folder in
                if next == "after read" {
                    try FileManager.default.copyItem(atPath: folder + "/2026-11-19.0.events", toPath: other)
                }
                return next != "after read"
            }
        }
        if !isOfSameJob { try place.scratch.write(pipeline, to: "push.yaml") }
        let (outcome, _) = try place.job(range) { job in
            job.goesOn = { next, folder in
                guard next == "after read" else { return true }
                let file = folder + (isOfSameJob ? "/2026-11-20.1.events" : "/2026-11-19.0.events")
                try FileManager.default.removeItem(atPath: file)
                try FileManager.default.copyItem(atPath: other, toPath: file)
                return true
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.hasSuffix(".events: belongs to another job; run the job again\n"), "\(outcome.stderr)")
        #expect(!place.scratch.exists("out/push.db") && !place.scratch.exists("out/partitions/2026-11-19.sqlite"))
    }

    /// The first attempt of a task has read other bytes than the one that counts.
    @Test func aFileThatChangesIsLoadedAsItWasReadLast() throws {
        let place = try Workplace.twoDates()
        let (outcome, _) = try place.job { job in
            job.goesOn = { next, folder in
                guard next == "after read" else { return true }
                try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-19.log")
                return try place.run("spark-read", "--job", folder, "--file", "0").exit == 0
            }
        }
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(try place.run("run", "--date", "2026-11-19", "--output", "plain").exit == 0)
        #expect(try place.figures() == place.figures("plain"))
    }

    /// Neither is what lies behind a link in the place of one of our folders.
    @Test func whatOthersHaveInTheFoldersOfJobsIsLeftAlone() throws {
        let place = try Workplace.twoDates()
        let names = ["job.json", "2026-11-19.0.events"]
        for name in names { try place.scratch.write("theirs", to: "theirs/0123456789abcdef/\(name)") }
        let jobs = place.scratch.path("out/partitions/.jobs")
        try place.scratch.write("mine", to: "out/partitions/.jobs/notes")
        try FileManager.default.createSymbolicLink(
            atPath: jobs + "/0123456789abcdef", withDestinationPath: place.scratch.path("theirs/0123456789abcdef"))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.scratch.text("out/partitions/.jobs/notes") == "mine")
        try FileManager.default.removeItem(atPath: jobs)
        try FileManager.default.createSymbolicLink(
            atPath: jobs, withDestinationPath: place.scratch.path("theirs"))
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        for name in names { #expect(try place.scratch.text("theirs/0123456789abcdef/\(name)") == "theirs") }
    }
}
