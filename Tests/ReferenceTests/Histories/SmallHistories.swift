import Reference
import Testing

/// All sequences of some steps on two log dates, by number: first those of one step, then those of two, and so on.
struct SmallHistories: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let dates: [Day]
    private let pipeline: Pipeline
    /// Those that each history chooses from.
    private let steps: [HistoryStep]

    static let all = [
        SmallHistories("window 0", windowDays: 0), SmallHistories("window 1", windowDays: 1),
        SmallHistories("retention", windowDays: 1, idDays: 10),
    ]

    /// - Parameter idDays: how long ids are kept; then the second log date is so late that the first one can be closed.
    private init(_ name: String, windowDays: Int, idDays: Int? = nil) {
        testDescription = name
        let first = Day(number: 20_393)
        dates = [first, Day(number: first.number + (idDays ?? 1))]
        var pipeline = Pipeline()
        pipeline.windowDays = windowDays
        pipeline.idDays = idDays
        pipeline.sources = [Pipeline.Source(name: "adobe", format: .collector, files: "logs/adobe/%Y-%m-%d-*")]
        self.pipeline = pipeline
        let nights = dates.map { LoadingCommand(arguments: "run --date \($0)", dates: [$0]) }
        var (killed, forced) = (nights[0], Operator(dates: dates, pipelines: []).backfill(" --only all"))
        killed.circumstance = .killed(12)
        forced.isForced = true
        let disk = Disk(dates: dates)
        let usual = [
            nights[0].step, nights[1].step, SmallHistories.file(on: first, ids: [1, 3], action: 1),
            HistoryStep("rm -f logs/adobe/\(first)*"), disk.keep(),
            HistoryStep("[ -f older/out/push.db ] && cp older/out/push.db out/push.db", .push(nil)),
            HistoryStep("sql 'update daily_actions set events = events + 1'", .push(nil)), forced.step,
        ]
        guard idDays != nil else {
            let partition = "out/partitions/\(first).sqlite"
            steps = usual + [killed.step, HistoryStep("rm -f \(partition)", .partition(first, nil))]
            return
        }
        var settling = nights[1]
        settling.settles = true
        steps = usual + [settling.step, Operator.giveUp(first, isForced: false).step]
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
            sum + (0..<length).reduce(1) { product, _ in product * UInt64(steps.count) }
        }
    }

    /// Its first steps bring the logs, which have a message in common, and load nothing.
    func history(_ number: UInt64) -> History {
        var chosen: [HistoryStep] = []
        var rest = number + 1
        while rest > 0 {
            rest -= 1
            chosen.append(steps[Int(rest % UInt64(steps.count))])
            rest /= UInt64(steps.count)
        }
        let logs = zip(dates, [2, 1]).map { SmallHistories.file(on: $0, ids: [1, 2], action: $1) }
        return History(on: dates, pipeline: pipeline, steps: logs + chosen)
    }
}
