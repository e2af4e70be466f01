import Reference
import Testing

/// All sequences of some steps on a few log dates, by number: first those of one step, then those of two, and so on.
struct SmallHistories: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Two log dates with a message in common, and one that is so late that both can be closed.
    private let dates: [Day]
    private let pipeline: Pipeline
    /// Those that each history chooses from, with what belongs to each.
    private let choices: [[HistoryStep]]
    /// A load of the first log date, which is killed at one of its commits.
    private let killed: LoadingCommand

    static let all = [
        SmallHistories("window 0", windowDays: 0), SmallHistories("window 1", windowDays: 1),
        SmallHistories("without retention", windowDays: 1, hasRetention: false),
    ]

    private init(_ name: String, windowDays: Int, hasRetention: Bool = true) {
        testDescription = name
        let first = Day(number: 20_393)
        dates = [0, 1, 11].map { Day(number: first.number + $0) }
        var pipeline = Pipeline()
        pipeline.windowDays = windowDays
        pipeline.idDays = hasRetention ? 10 : nil
        pipeline.sources = [Pipeline.Source(name: "adobe", format: .collector, files: "logs/adobe/%Y-%m-%d-*")]
        self.pipeline = pipeline
        let disk = Disk(dates: dates)
        var nights = dates.map { LoadingCommand(arguments: "run --date \($0)", dates: [$0]) }
        killed = nights[0]
        // What was before a load may come back.
        let loads = [[disk.keep(), nights[0].step], [disk.keep(), nights[1].step]]
        guard hasRetention else {
            var forced = Operator(dates: dates, pipelines: []).backfill(" --only all")
            forced.isForced = true
            choices =
                loads + [
                    // The second log date has the same hits, later.
                    [HistoryStep("sed -i 's/:10:/:16:/' logs/adobe/\(dates[1])*")],
                    [HistoryStep("rm -f out/partitions/\(first).sqlite", .partition(first, nil))], [forced.step],
                ]
            return
        }
        nights[2].settles = true
        choices =
            loads + [
                [SmallHistories.file(on: first, ids: [1, 3], action: 1)],
                [HistoryStep("rm -f logs/adobe/\(first)*")],
                [HistoryStep("[ -f older/out/push.db ] && cp older/out/push.db out/push.db", .push(nil))],
                [HistoryStep("sql 'update daily_actions set events = events + 1'", .push(nil))],
                [nights[2].step], [Operator.giveUp(first, isForced: false).step],
            ]
    }

    /// Hits of some messages, in a file that they are added to.
    private static func file(on date: Day, ids: [Int], action: Int) -> HistoryStep {
        let stamp = LogShipper(dates: []).stamp(date, "10:00:0\(action)")
        let hits = ids.map { "hits '\(stamp)' 'h\($0),d1,\(action)' '-'" }.joined(separator: "; ")
        return HistoryStep("mkdir -p logs/adobe; { \(hits); } >>logs/adobe/\(date)-a.log")
    }

    /// How many there are of at most so many steps.
    func count(upTo length: Int) -> UInt64 {
        (1...length).reduce(0) { sum, length in
            sum + (0..<length).reduce(1) { product, _ in product * UInt64(choices.count + 1) }
        }
    }

    /// Its first steps bring the logs, and load nothing. One of more than two steps ends with a backfill alone.
    func history(_ number: UInt64) -> History {
        var chosen: [[HistoryStep]] = []
        var rest = number + 1
        while rest > 0 {
            rest -= 1
            let choice = Int(rest % UInt64(choices.count + 1))
            // A load has about nine commits: from history to history, and from step to step, it is killed at another.
            chosen.append(
                choice < choices.count ? choices[choice] : [killed(at: number / 3 % 9 + UInt64(chosen.count))])
            rest /= UInt64(choices.count + 1)
        }
        let logs = zip(dates, [2, 1, 1]).map { SmallHistories.file(on: $0, ids: [1, 2], action: $1) }
        return History(
            on: dates, pipeline: pipeline, steps: logs + chosen.joined(),
            ending: chosen.count > 2 ? .backfill : .nightsLast)
    }

    /// - Parameter commit: how many commits come before the one at which it is killed.
    private func killed(at commit: UInt64) -> HistoryStep {
        var command = killed
        command.circumstance = .killedAt(Int(commit) + 1)
        return command.step
    }
}
