import Reference

/// What an operator, a log shipper, a disk and a BI person do to one output, in random order.
struct History: Sendable {
    let dates: [Day]
    /// The two log dates after them.
    let nights: [Day]
    /// Those that are written at times. The first one is there at the beginning.
    let pipelines: [Pipeline]
    enum Ending {
        /// The two nights, after or before a forced load of everything.
        case nightsFirst, nightsLast
        /// One plain backfill.
        case backfill
    }

    let ending: Ending
    var steps: [HistoryStep]

    /// - Parameter steps: after each other, on log dates without a gap between the last one and the nights.
    init(on dates: [Day], pipeline: Pipeline, steps: [HistoryStep], ending: Ending) {
        self.dates = dates
        nights = [1, 2].map { Day(number: dates[dates.count - 1].number + $0) }
        pipelines = [pipeline]
        self.ending = ending
        self.steps = steps
    }

    /// How many histories together have each change that is known once.
    static let dealt: UInt64 = 40

    /// - Parameter isDealt: whether the changes are dealt to `dealt` seeds, until each is in one of them, instead of drawn.
    init(seed: UInt64, isDealt: Bool = false) {
        var random = SplitMix64(seed: seed)
        let hasRetention = seed % 2 == 1
        var last = Day(number: 20_393)
        var dates = [last]
        for _ in 1..<(hasRetention ? random.number(5...7) : random.number(2...4)) {
            last = Day(number: last.number + (hasRetention ? random.pick([1, 2, 2, 3, 4]) : 1))
            dates.append(last)
        }
        self.dates = dates
        nights = [1, 2].map { Day(number: last.number + $0) }
        ending = random.chance(50) ? .nightsFirst : .nightsLast
        let pipelines = History.pipelines(hasRetention, &random)
        self.pipelines = pipelines
        let (op, shipper) = (Operator(dates: dates, pipelines: pipelines), LogShipper(dates: dates))
        let (disk, analyst) = (Disk(dates: dates), Analyst())
        var steps: [HistoryStep] = []
        var later = hasRetention ? Array(dates[random.number(2...4)...]) : []
        // The first log dates are loaded night by night, or all at once.
        let beginsWithNights = random.chance(60)
        for date in dates where !later.contains(date) {
            for source in ["adobe", "braze"] where random.chance(85) {
                steps.append(shipper.files(of: source, on: date, &random))
            }
            if beginsWithNights { steps.append(op.night(date, &random)) }
        }
        if random.chance(60) { steps.append(op.edit(&random)) }
        steps.append(op.backfill("").step)
        if isDealt {
            for date in later {
                for source in ["adobe", "braze"] { steps.append(shipper.files(of: source, on: date, &random)) }
                steps.append(op.night(date, &random))
            }
            steps.append(disk.keep())
            var round = SplitMix64(seed: seed / History.dealt)
            let all = round.shuffle(disk.damages(&random) + shipper.changes(&random) + analyst.changes(1))
            for index in stride(from: Int(seed % History.dealt), to: all.count, by: Int(History.dealt)) {
                let night = LoadingCommand(arguments: "run --date \(last)", dates: [last])
                steps += [all[index], night.step, op.backfill("").step]
            }
            self.steps = steps
            return
        }
        // A swarm: each history has its own few kinds of events, so that each meets others often.
        var kinds = (0..<random.number(2...4)).map { _ in random.below(hasRetention ? 14 : 11) }
        if hasRetention { kinds.append(random.pick([4, 9, 11, 12])) }
        for _ in 0..<random.number(4...10) {
            if !later.isEmpty, random.chance(60) {
                let date = later.removeFirst()
                // What is late for a log date that is to be closed, or is closed.
                if random.chance(30) {
                    steps.append(shipper.files(of: random.pick(["adobe", "braze"]), on: random.pick(dates), &random))
                }
                for source in ["adobe", "braze"] where random.chance(90) {
                    steps.append(shipper.files(of: source, on: date, &random))
                }
                steps.append(op.night(date, &random))
            }
            switch random.pick(kinds) {
            case 0: steps.append(random.pick(shipper.changes(&random)))
            case 1: steps.append(shipper.files(of: random.pick(["adobe", "braze"]), on: random.pick(dates), &random))
            case 2: steps.append(op.edit(&random))
            case 3: steps.append(random.pick(disk.pushDamages(&random)))
            // The next night is often of another log date.
            case 4: steps += [random.pick(disk.partitionDamages(&random)), op.night(random.pick(dates), &random)]
            case 5: steps.append(random.pick(disk.cacheDamages(&random)))
            case 6: steps.append(random.pick(disk.otherDamages(&random)))
            case 10: steps.append(shipper.rotate(&random))
            case 9:
                let date = random.pick(dates)
                let many = shipper.manyHits(random.pick([1000, 1001, 1200]), on: date, &random)
                let fewer = shipper.manyHits(random.pick([501, 500, 499, 100]), on: date, &random)
                let slip = op.write(pipelines[6])
                steps += [many, op.backfill("").step, random.pick([fewer, slip]), op.load(&random)]
            case 11: steps.append(op.giveUp(&random))
            case 12: steps.append(random.pick(disk.settledDamages(&random)))
            case 13: steps.append(op.write(random.pick([pipelines[0]] + pipelines.suffix(2))))
            default: steps.append(analyst.change(&random))
            }
            if random.chance(15) { steps.append(disk.keep()) }
            if random.chance(25) { steps.append(op.look(&random)) }
            if random.chance(65) { steps.append(op.load(&random)) }
        }
        self.steps = steps
    }

    private static func pipelines(_ hasRetention: Bool, _ random: inout SplitMix64) -> [Pipeline] {
        var pipeline = Pipeline()
        pipeline.windowDays = random.pick(hasRetention ? [0, 1, 1, 2, 3] : [0, 1, 2, 3, 7])
        if hasRetention { pipeline.idDays = 2 * pipeline.windowDays + random.pick([8, 8, 9]) }
        pipeline.rejectRatio = random.pick(["0.5", "1"])
        pipeline.failsOnDamagedFiles = random.chance(20)
        var braze = Pipeline.Source(name: "braze", format: .usersTrack, files: "logs/braze/%Y-%m-%d-*")
        braze.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
        let adobe = Pipeline.Source(name: "adobe", format: .collector, files: "logs/adobe/%Y-%m-%d-*")
        pipeline.sources = [adobe, braze]
        for index in pipeline.sources.indices { pipeline.sources[index].isRequired = random.chance(30) }
        if random.chance(70) { pipeline.deliveries = [DeliveryEntry(name: "e")] }
        var (window, zone, order, fewer, mcid) = (pipeline, pipeline, pipeline, pipeline, pipeline)
        window.windowDays = 0
        zone.timeZone = "Europe/Madrid"
        order.sources.reverse()
        fewer.sources.removeLast()
        mcid.sources[0].requiresMcid = true
        let usual = [pipeline, pipeline, window, zone, order, fewer, mcid]
        guard let ids = pipeline.idDays else { return usual }
        var (longer, always) = (pipeline, pipeline)
        longer.idDays = ids + 4
        always.idDays = nil
        return usual + [longer, always]
    }
}
