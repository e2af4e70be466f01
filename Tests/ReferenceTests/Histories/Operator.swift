import Reference

/// Runs the program, and edits its pipeline and its delivery files.
struct Operator {
    let dates: [Day]
    let pipelines: [Pipeline]

    func load(_ random: inout SplitMix64) -> HistoryStep {
        var command = command(&random)
        return disturbed(&command, &random)
    }

    /// What is loaded every night.
    func night(_ date: Day, _ random: inout SplitMix64) -> HistoryStep {
        var command = LoadingCommand(arguments: "run --date \(date)", dates: [date])
        return disturbed(&command, &random)
    }

    private func disturbed(_ command: inout LoadingCommand, _ random: inout SplitMix64) -> HistoryStep {
        command.isForced = random.chance(15)
        command.settles = pipelines[0].idDays != nil && random.chance(40)
        if random.chance(30) {
            let other = random.pick(dates)
            command.circumstance = random.pick([
                .killed(random.number(2...30)), .killed(random.number(5...60)), .read, .locked,
                .beside("run --date \(other)"),
            ])
            if command.settles, random.chance(40) { command.circumstance = .clock(other) }
            if case .beside = command.circumstance { command.dates.append(other) }
        }
        return command.step
    }

    func giveUp(_ random: inout SplitMix64) -> HistoryStep {
        var command = Operator.giveUp(random.pick(dates), isForced: random.chance(20))
        command.settles = random.chance(40)
        return command.step
    }

    static func giveUp(_ date: Day, isForced: Bool) -> LoadingCommand {
        LoadingCommand(arguments: "backfill --give-up \(date)", dates: [], isForced: isForced, givenUp: date)
    }

    private func command(_ random: inout SplitMix64) -> LoadingCommand {
        let date = random.pick(dates)
        switch random.below(8) {
        case 0: return Operator.nothing
        case 1:
            return LoadingCommand(
                arguments: "run --date \(date) --catch-up 4", dates: (0...4).map { Day(number: date.number - $0) })
        case 2, 3:
            let only = random.pick(["", "", " --only missing", " --only stale", " --only partial", " --only held"])
            return backfill(only)
        case 4: return backfill(" --only all")
        default: return LoadingCommand(arguments: "run --date \(date)", dates: [date])
        }
    }

    /// All log dates.
    func backfill(_ only: String) -> LoadingCommand {
        LoadingCommand(arguments: "backfill --from \(dates[0]) --to \(dates[dates.count - 1])\(only)", dates: dates)
    }

    /// A command with nothing to load.
    static let nothing = LoadingCommand(arguments: "run --date 2026-01-01", dates: [])

    func look(_ random: inout SplitMix64) -> HistoryStep { random.pick(LookingCommand.all).step }

    func edit(_ random: inout SplitMix64) -> HistoryStep {
        if random.chance(65) { return write(random.pick(pipelines)) }
        let rows = (0..<random.number(1...3)).map { _ in
            let (id, platform) = (random.pick(["d1", "d2", "9"]), random.pick(["", "ios", "android"]))
            return "\(id),\(platform),\(random.pick(["Black Friday", "wave 2", ""])),\(random.number(0...9))"
        }
        return random.pick([
            HistoryStep(
                "mkdir -p deliveries/e; printf '%s\\n' delivery_id,platform,label,sent \(rows.map { "'\($0)'" }.joined(separator: " ")) >deliveries/e/list.csv"
            ),
            HistoryStep("printf 'label\\nx\\n' >deliveries/e/list.csv"), HistoryStep("rm -f deliveries/e/list.csv"),
        ])
    }

    func write(_ pipeline: Pipeline) -> HistoryStep {
        // No here document: the lines of a failure are printed with spaces before them.
        let lines = pipeline.yaml(output: "out").split(separator: "\n").map { "\"\($0)\"" }
        return HistoryStep("printf '%s\\n' \(lines.joined(separator: " ")) >push.yaml", .pipeline(pipeline))
    }
}
