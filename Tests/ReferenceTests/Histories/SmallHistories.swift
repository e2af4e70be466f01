import Reference
import Testing

/// All sequences of some steps on a few log dates, by number: first those of one step, then those of two, and so on.
struct SmallHistories: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Two log dates with a message in common, and one that is so late that both can be closed.
    private let dates: [Day]
    private var pipeline: Pipeline
    /// What each begins with, after the logs.
    private var beginning: [HistoryStep] = []
    /// Those that each history chooses from, with what belongs to each.
    private var choices: [[HistoryStep]]
    /// A load that is killed at one of its commits.
    private let killed: LoadingCommand
    /// How all end; nil if that depends on their length.
    private var ending: History.Ending?

    static let all = [
        SmallHistories("window 0", windowDays: 0), SmallHistories("window 1", windowDays: 1), withoutRetention,
    ]

    private init(
        _ name: String, windowDays: Int, idDays: Int?, dates: [Day], killed: LoadingCommand, choices: [[HistoryStep]]
    ) {
        testDescription = name
        var pipeline = Pipeline()
        pipeline.windowDays = windowDays
        pipeline.idDays = idDays
        pipeline.sources = [Pipeline.Source(name: "adobe", format: .collector, files: "logs/adobe/%Y-%m-%d-*")]
        self.pipeline = pipeline
        self.dates = dates
        self.killed = killed
        self.choices = choices
    }

    /// Loads, kills, and what happens to logs and push.db.
    private init(_ name: String, windowDays: Int) {
        let dates = SmallHistories.logDates(0, 1, 11)
        let first = dates[0]
        self.init(
            name, windowDays: windowDays, idDays: 10, dates: dates, killed: SmallHistories.night(first),
            choices: SmallHistories.loads(dates) + [
                [SmallHistories.file(on: first, ids: [1, 3], action: 1)],
                [HistoryStep("rm -f logs/adobe/\(first)*")],
                [HistoryStep("[ -f older/out/push.db ] && cp older/out/push.db out/push.db", .push(nil))],
                [HistoryStep("sql 'update daily_actions set events = events + 1'", .push(nil))],
                [SmallHistories.night(dates[2], settles: true).step], [Operator.giveUp(first, isForced: false).step],
            ])
    }

    private static let withoutRetention = {
        let dates = logDates(0, 1, 11)
        var forced = Operator(dates: dates, pipelines: []).backfill(" --only all")
        forced.isForced = true
        return SmallHistories(
            "without retention", windowDays: 1, idDays: nil, dates: dates, killed: night(dates[0]),
            choices: loads(dates) + [
                // The second log date has the same hits, later.
                [HistoryStep("sed -i 's/:10:/:16:/' logs/adobe/\(dates[1])*")],
                [HistoryStep("rm -f out/partitions/\(dates[0]).sqlite", .partition(dates[0], nil))], [forced.step],
            ])
    }()

    /// What is lost, damaged, put back or held back. Each ends with a backfill, for which nothing is mended.
    static let ofDamage = [
        damage("damage before log dates are closed", logDates(0, 1, 9)),
        damage("damage of a closed log date", logDates(0, 1, 8), isClosed: true),
        damage("damage of erased log dates", logDates(0, 1, 11), isClosed: true), holds, kills, edits,
        pipelines,
    ]

    /// Files of the output, and the window. On day 8 the first log date is closed; on day 9 it settles, and the second one is
    /// closed; on day 11 the ids of both are erased.
    private static func damage(_ name: String, _ dates: [Day], isClosed: Bool = false) -> SmallHistories {
        let (settling, givingUp) = (night(dates[2], settles: true), Operator.giveUp(dates[0], isForced: false))
        let later = Day(number: dates[2].number + 2)
        let files = dates.map { "out/partitions/\($0).sqlite" }
        func changed(_ date: Day, _ shell: String) -> HistoryStep { HistoryStep(shell, .partition(date, nil)) }
        let lost = changed(dates[0], "rm -f \(files[0])")
        let obstacle = HistoryStep.Obstacle(removal: "[ -f \(files[1]) ] || rm -rf \(files[1])")
        var histories = SmallHistories(
            name, windowDays: 1, idDays: 10, dates: dates, killed: settling,
            choices: [
                [settling.step], [lost, settling.step], [lost], [changed(dates[1], "flip \(files[1]) 500 1")],
                [changed(later, "[ -d out/partitions ] && echo x >out/partitions/\(later).sqlite")],
                [changed(dates[0], "[ -f \(files[0]) ] && hot_header >\(files[0])-journal"), lost],
                [HistoryStep("rm -f out/push.db", .push(nil)), lost],
                [HistoryStep("cut_to out/push.db 500", .push(nil)), lost],
                [
                    HistoryStep("for f in out/partitions/.kept/*.shared; do flip \"$f\" 500 4; done", .caches(nil)),
                    file(on: dates[1], ids: [1, 3], action: 2), night(dates[1]).step,
                ],
                [changed(dates[0], "[ -f older/\(files[0]) ] && cp older/\(files[0]) \(files[0])")], [givingUp.step],
                [lost, givingUp.step], [recordAway],
                [HistoryStep("replace fifo \(files[1])", .partition(dates[1], obstacle))],
            ])
        var narrower = histories.pipeline
        narrower.windowDays = 0
        let op = Operator(dates: dates, pipelines: [histories.pipeline, narrower])
        histories.choices += [[op.write(narrower), night(dates[2]).step]]
        histories.beginning = [night(dates[0]).step, night(dates[1]).step, Disk(dates: dates).keep()]
        histories.ending = .backfill
        guard isClosed else { return histories }
        histories.beginning.append(settling.step)
        // It is closed too, and never had a partition.
        let empty = Day(number: dates[0].number - 1)
        let load = "pushetl run --date \(empty) -p push.yaml --output other"
        histories.choices += [
            [
                file(on: empty, ids: [1], action: 1),
                changed(
                    empty,
                    "[ -f out/partitions/closed ] && \(load) && cp other/partitions/\(empty).sqlite out/partitions; "
                        + "rm -f logs/adobe/\(empty)*"),
            ]
        ]
        return histories
    }

    /// The record of closed log dates is lost. Its owner puts it back. Without it nothing tells which log dates are closed, so it
    /// stays once another output has given a partition.
    private static let recordAway = HistoryStep(
        "[ -f out/partitions/closed ] && [ ! -d other ] && mv out/partitions/closed whole",
        .otherFile(HistoryStep.Obstacle(removal: "rm -f out/partitions/closed; mv whole out/partitions/closed")))

    /// Loads that are held back, for losses or rejects, and what becomes of them.
    private static let holds = {
        let dates = logDates(0, 1, 13)
        let (first, partition) = (dates[0], "out/partitions/\(dates[0]).sqlite")
        let stamp = LogShipper(dates: []).stamp(first, "10:00:00")
        func many(_ count: Int) -> HistoryStep { HistoryStep("many \(count) '\(stamp)' 7 >logs/adobe/\(first)-m.log") }
        func junk(_ date: Day) -> HistoryStep { HistoryStep("seq 3000 >logs/adobe/\(date)-n.log") }
        let settling = night(dates[2], settles: true)
        var forced = night(first)
        forced.isForced = true
        var histories = SmallHistories(
            "holds", windowDays: 1, idDays: 10, dates: dates, killed: forced,
            choices: [
                [many(400), night(first).step], [junk(first), night(first).step],
                [junk(dates[1]), night(dates[1]).step],
                [
                    HistoryStep("hits '\(stamp)' 'h9,d1,7' '-' | gzip -n | head -c -6 >logs/adobe/\(first)-x.log"),
                    forced.step,
                ],
                [many(1000)], [night(dates[1]).step, settling.step], [forced.step],
                [HistoryStep("rm -f logs/adobe/*-[nx].log")],
                [HistoryStep("rm -f \(partition)", .partition(first, nil))],
                // A letter of its definitions.
                [HistoryStep("sed -i 's/platform INTEGER/pmatform INTEGER/' \(partition)", .partition(first, nil))],
                [Operator.giveUp(dates[1], isForced: false).step, settling.step],
                [recordAway, many(1200), night(first).step],
                [HistoryStep("printf '\\037\\213\\010' >logs/adobe/\(first)-x.log")],
            ]
                // Other files come, and what was there before.
                + forced.killed(at: 5...8).map { [many(300)] + $0 + [many(400)] })
        histories.beginning = [many(1000), night(first).step]
        histories.ending = .backfill
        return histories
    }()

    /// A load and the closing after it, killed at each of their commits, where push.db, the caches or a partition are gone.
    private static let kills = {
        let dates = logDates(0, 1, 9)
        let partition = "out/partitions/\(dates[1]).sqlite"
        let load = LoadingCommand(
            arguments: "backfill --from \(dates[0]) --to \(dates[2])", dates: dates, settles: true)
        let overwriting = "of=out/push.db conv=notrunc status=none"
        var histories = SmallHistories(
            "kills", windowDays: 1, idDays: 10, dates: dates, killed: load,
            choices: [
                // Only while something else tells whose it is.
                [
                    HistoryStep(
                        "[ -f out/push.db ] && [ -d out/partitions/.kept ] && yes x | head -c 70000 | dd \(overwriting)",
                        .push(nil))
                ],
                [file(on: dates[1], ids: [1, 3], action: 2)],
                [HistoryStep("rm -f \(partition)", .partition(dates[1], nil))],
                [HistoryStep("rm -f out/push.db", .push(nil))],
                // Not that which tells whose an overwritten push.db is.
                [HistoryStep("[ \"$(head -c 2 out/push.db)\" = x ] || rm -rf out/partitions/.kept", .caches(nil))],
            ] + load.killed(at: 1...24))
        histories.beginning = [night(dates[0]).step, night(dates[1]).step]
        histories.ending = .backfill
        return histories
    }()

    /// What others write into push.db, also after a load that a reader has stopped. A failure that a later log date
    /// tells of changes the funnel alone.
    private static let edits = {
        let dates = logDates(0, 1, 9)
        let more = file(on: dates[1], ids: [1, 3], action: 1)
        var stopped = night(dates[1])
        stopped.circumstance = .read
        var histories = SmallHistories(
            "edits", windowDays: 1, idDays: 10, dates: dates, killed: night(dates[2]),
            choices: [
                [more, stopped.step], [file(on: dates[1], ids: [1], action: 8), night(dates[1]).step],
                [HistoryStep("sql 'update daily_totals set messages = messages + 0.5'", .push(nil))],
                [HistoryStep("sql 'update daily_actions set events = events + 1'", .push(nil))],
            ])
        histories.pipeline.sources[0].actions["8"] = "failed"
        histories.beginning = [night(dates[0]).step, night(dates[1]).step]
        histories.ending = .backfill
        return histories
    }()

    /// A pipeline file that counts nothing, and one with a narrower window, while a closed log date is damaged.
    private static let pipelines = {
        let dates = logDates(0, 1, 8)
        let partition = "out/partitions/\(dates[0]).sqlite"
        var histories = SmallHistories(
            "pipelines", windowDays: 1, idDays: 10, dates: dates, killed: night(dates[0]),
            choices: [[night(dates[0]).step], [HistoryStep("flip \(partition) 500 1", .partition(dates[0], nil))]])
        var (narrower, other) = (histories.pipeline, histories.pipeline)
        narrower.windowDays = 0
        other.sources[0].requiresMcid = true
        let op = Operator(dates: dates, pipelines: [histories.pipeline, narrower, other])
        histories.choices += [histories.pipeline, narrower, other].map { [op.write($0)] }
        histories.beginning = [night(dates[0]).step, night(dates[1]).step, night(dates[2], settles: true).step]
        histories.ending = .backfill
        return histories
    }()

    private static func logDates(_ numbers: Int...) -> [Day] { numbers.map { Day(number: 20_393 + $0) } }

    private static func night(_ date: Day, settles: Bool = false) -> LoadingCommand {
        LoadingCommand(arguments: "run --date \(date)", dates: [date], settles: settles)
    }

    /// What was before a load may come back.
    private static func loads(_ dates: [Day]) -> [[HistoryStep]] {
        dates.prefix(2).map { [Disk(dates: dates).keep(), night($0).step] }
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

    /// Its first steps bring the logs, and load nothing. From number to number the last step changes first. One of more than two
    /// steps ends with a backfill alone.
    func history(_ number: UInt64) -> History {
        var chosen: [[HistoryStep]] = []
        var rest = number + 1
        while rest > 0 {
            rest -= 1
            let choice = Int(rest % UInt64(choices.count + 1))
            // A load has about nine commits: from history to history, and from step to step, it is killed at another.
            chosen.append(
                choice < choices.count ? choices[choice] : killed.killed(at: Int(number / 3 % 9) + chosen.count + 1))
            rest /= UInt64(choices.count + 1)
        }
        let logs = zip(dates, [2, 1, 1]).map { SmallHistories.file(on: $0, ids: [1, 2], action: $1) }
        return History(
            on: dates, pipeline: pipeline, steps: logs + beginning + chosen.reversed().joined(),
            ending: ending ?? (chosen.count > 2 ? .backfill : .nightsLast))
    }
}

extension LoadingCommand {
    /// The command, killed before it renames or removes a file for the so manieth time.
    fileprivate func killed(at commit: Int) -> [HistoryStep] {
        var command = self
        command.circumstance = .killedAt(commit)
        return [command.step]
    }

    fileprivate func killed(at commits: ClosedRange<Int>) -> [[HistoryStep]] { commits.map { killed(at: $0) } }
}
