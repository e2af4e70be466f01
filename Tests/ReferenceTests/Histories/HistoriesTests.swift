import Foundation
import Reference
import Support
import Testing

/// Random histories of an output: whatever people, tools and disks do to it, the figures are those of the reference after
/// each command that ends well, and what others stored is still there. `PUSHETL_SEEDS=5000` tries many.
@Suite(
    .needsPushetl, .needs(.bash), .needs(.sqlite3), .needs(.timeout), .needs(.gzip), .needs(.zstd))
struct HistoriesTests {
    @Test func everyHistoryEndsWithTheFiguresOfTheReference() throws {
        let fresh = try freshOutput()
        try Seeds(8, long: 200).expectSame { seed, program, _ in
            try comparison(of: History(seed: seed), program, fresh)
        }
    }

    /// Every change that is known once, one after another, each with the next night and a backfill after it.
    @Test func everyChangeOnceEndsWithTheFiguresOfTheReference() throws {
        let fresh = try freshOutput()
        try Seeds(1, long: 3 * History.dealt).expectSame { seed, program, _ in
            try comparison(of: History(seed: seed, isDealt: true), program, fresh)
        }
    }

    /// Every sequence of a few steps on two log dates, with a message on both. No chance is in it. The long form has all of up to
    /// three steps, about 1,900.
    @Test(arguments: SmallHistories.all) func everySmallHistoryEndsWithTheFiguresOfTheReference(
        _ small: SmallHistories
    ) throws {
        try expectSame(small, Seeds(small.count(upTo: 1), long: small.count(upTo: 3)))
    }

    /// The same of what is lost, damaged, put back or held back. The long form has all of up to two steps, about 2,190.
    @Test(arguments: SmallHistories.ofDamage) func everySmallHistoryOfDamageEndsWithTheFiguresOfTheReference(
        _ small: SmallHistories
    ) throws {
        try expectSame(small, Seeds(small.count(upTo: 1), long: small.count(upTo: 2)), upTo: 2)
    }

    /// Those of four steps are about 14,400, which take most of an hour: a fifth of them, another one each week.
    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"), arguments: SmallHistories.all)
    func aShareOfTheSmallHistoriesOfFourStepsEndsWithTheFiguresOfTheReference(_ small: SmallHistories) throws {
        let shares: UInt64 = 5
        let week = UInt64(Date.now.timeIntervalSince1970) / (7 * 86_400)
        let first = small.count(upTo: 3)
        let count = (small.count(upTo: 4) - first) / shares + 1
        try expectSame(small, Seeds(count, from: first + week % shares * count))
    }

    /// Those of at most so many steps.
    private func expectSame(_ small: SmallHistories, _ numbers: Seeds, upTo length: Int = 4) throws {
        let (fresh, end) = (try freshOutput(), small.count(upTo: length))
        try numbers.expectSame { number, program, _ in
            number < end ? try comparison(of: small.history(number), program, fresh) : .same()
        }
    }

    private func comparison(of history: History, _ program: Program, _ fresh: PushSnapshot) throws -> Comparison {
        let (fault, counts) = try outcome(of: history, program, fresh)
        if let fault {
            let (shortest, script) = try shrunk(history, fault, program, fresh)
            return .different("\(shortest.kind): \(shortest.message)\n\n\(script)\n")
        }
        if counts.comparisons == 0 { return .skipped("no command ended well") }
        return .same([
            "steps": counts.steps, "commands": counts.commands, "heals": counts.heals,
            "comparisons": counts.comparisons, "rotations": counts.rotations,
        ])
    }

    /// A push.db that nobody has touched.
    private func freshOutput() throws -> PushSnapshot {
        let program = try #require(Program.built)
        let folder = try ScratchFolder()
        var pipeline = Pipeline()
        pipeline.sources = [Pipeline.Source(name: "adobe", format: .collector, files: "logs/*")]
        try folder.write(pipeline)
        try folder.write(
            "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /r/?id=h1,d,7 HTTP/1.1\" 200 0 \"-\" \"-\"\n",
            to: "logs/a.log")
        let outcome = try folder.load(program, Day(number: 20_776))
        try #require(outcome.exit == 0, "\(outcome.summary)")
        return try #require(PushSnapshot(folder.path("out/push.db")))
    }

    private func outcome(
        of history: History, _ program: Program, _ fresh: PushSnapshot, script: ((String) -> Void)? = nil
    ) throws -> (HistoryFault?, HistoryCounts) {
        let run = try HistoryRun(history, program, fresh: fresh)
        do {
            try run.run()
            return (nil, run.counts)
        } catch let fault as HistoryFault {
            script?(run.script)
            return (fault, run.counts)
        }
    }

    /// Leaves out steps as long as a fault of the same kind remains: first many at a time, then single ones.
    private func shrunk(
        _ history: History, _ fault: HistoryFault, _ program: Program, _ fresh: PushSnapshot
    ) throws -> (HistoryFault, script: String) {
        var (shortest, fault, script) = (history, fault, "")
        var length = max(1, history.steps.count / 2)
        // A command that hangs takes its time in each trial.
        var trials = Seeds.endWithFirstFault ? 0 : fault.kind == .hang ? 4 : 60
        while length > 0 {
            var start = shortest.steps.count - length
            while start >= 0, trials > 0 {
                trials -= 1
                var shorter = shortest
                shorter.steps.removeSubrange(start..<start + length)
                let (found, _) = try outcome(of: shorter, program, fresh) { script = $0 }
                if let found, found.kind == fault.kind { (shortest, fault) = (shorter, found) }
                start -= length
                start = min(start, shortest.steps.count - length)
            }
            length /= 2
        }
        if Seeds.endWithFirstFault { return (fault, script) }
        let (last, _) = try outcome(of: shortest, program, fresh) { script = $0 }
        return (last ?? fault, script)
    }
}
