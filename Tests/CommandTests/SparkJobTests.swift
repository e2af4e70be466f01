import Foundation
import Support
import Testing

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
        _ arguments: [String] = ["--date", "2026-11-19"], _ prepare: (SparkJob) -> Void = { _ in }
    ) throws -> Program.Outcome {
        let job = try SparkJob(program, in: scratch.url)
        prepare(job)
        return try job.run(arguments + ["--shards", "3", "-p", "push.yaml"])
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

/// What happens to a job on Apache Spark in which something goes wrong that `Tests/Interfaces/spark.py` cannot bring about.
@Suite(.needsPushetl)
struct SparkJobTests {
    /// `SparkJob` compares the bytes of two attempts of a task of each kind.
    @Test func attemptsGiveTheSameBytesWheneverTheyLookAtAFile() throws {
        let place = try Workplace.twoDates()
        let range = ["--from", "2026-11-19", "--to", "2026-11-20"]
        let log = place.scratch.path("logs/2026-11-19.log")
        var tried: Set<String> = []
        let outcome = try place.job(range) { job in
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

    @Test func aDamagedFrameFailsTheJob() throws {
        let place = try Workplace.twoDates()
        let outcome = try place.job { job in
            job.willPass = { step, frames in
                guard step == "events" else { return }
                frames[0].bytes[frames[0].bytes.count - 3] ^= 1
            }
        }
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: a frame was damaged on the way; nothing was published; run the job again\n")
        #expect(!place.scratch.exists("out/push.db"))
        #expect(try place.job().exit == 0)
    }

    @Test func aFrameOfOtherBytesOfAFileFailsTheJob() throws {
        let place = try Workplace.twoDates()
        var former: [SparkJob.Frame] = []
        try place.job { job in
            job.willPass = { step, frames in if step == "events" { former = frames.filter { $0.kind == 1 } } }
        }
        try place.scratch.write(Workplace.hit("h1,d,7") + "\n", to: "logs/2026-11-19.log")
        let outcome = try place.job { job in
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
            let outcome = try place.job { job in
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

    @Test func aDamagedPartitionOfAShardIsNamedAndRepaired() throws {
        let place = try Workplace.twoDates()
        #expect(try place.job().exit == 0)
        let name = try #require(
            place.scratch.names("out/shards/1/partitions").first { $0.hasPrefix("2026-11-19.") })
        let path = "out/shards/1/partitions/" + name
        try place.scratch.write(place.scratch.bytes(path).prefix(5000), to: path)
        #expect(try place.run("doctor").exit == 65)
        let other = try place.job(["--date", "2026-11-20"])
        #expect(other.exit == 74)
        #expect(other.stderr.contains("shards/1/partitions/\(name): the database is damaged"))
        #expect(try place.job().exit == 0)
        #expect(try place.job(["--date", "2026-11-20"]).exit == 0)
        #expect(try place.figures() == place.expected())
        #expect(try place.run("doctor").exit == 0)
    }
}
