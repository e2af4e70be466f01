import Foundation
import Reference
import Support

/// Carries out a history in a folder of its own, and compares with what must hold after each command.
final class HistoryRun {
    let history: History
    let shell: HistoryBash
    let fresh: PushSnapshot
    /// The last command that loads.
    var last: LoadingOutcome?
    var counts = HistoryCounts()

    var pipeline: Pipeline
    var loads = AcceptedLoads()
    /// What the output may have accepted of the delivery files.
    var deliveries: [[Bytes: NamedDelivery]] = [[:]]
    /// What the files of a log date came to when they were read last.
    var readLast: [Day: Partition] = [:]
    var obstacles: [HistoryStep.Obstacle] = []
    /// push.db as the last command left it; nil if that is not known.
    var left: PushSnapshot?
    /// push.db as it was looked at last.
    var seen: PushState?
    /// What was changed since the last command that ended well.
    var isPushTouched = false
    var areCachesTouched = false
    /// Whether the program was killed since then.
    var wasKilled = false
    /// The record of closed log dates as it could be read last.
    var closed: ClosedRecord?
    /// Whether it was away once, and put back.
    var wasRecordAway = false
    /// Whether a tool that was killed has left a journal, which whoever reads rolls back.
    var hasJournal = false
    /// Whether a push.db was noted before it was there: a command was killed while it published for the first time.
    var isPushAwaited = false
    var heldBack: Set<Day> = []
    /// Log dates that were to be passed, and were neither closed nor loaded since.
    var passed: Set<Day> = []
    /// Log dates that push.db has shown, and those of them that had no partition before the last command.
    var published: Set<Day> = [], missing: Set<Day> = []
    /// Log dates whose files have been those of another log date too.
    var wandering: Set<Day> = []
    /// Whether the figures of a log date were given up. Others that have settled go on without it as they are.
    var hasGivenUp = false

    var dates: [Day] { history.dates + history.nights }

    /// - Parameter fresh: a push.db that nobody has touched.
    init(_ history: History, _ program: Program, fresh: PushSnapshot) throws {
        self.history = history
        self.fresh = fresh
        pipeline = history.pipelines[0]
        shell = try HistoryBash(program)
    }

    /// All commands so far, for a shell.
    var script: String { shell.script }

    func run() throws {
        try perform(op.write(pipeline))
        try perform(HistoryStep("echo mine >victim"))
        for step in history.steps {
            counts.steps += 1
            try perform(step)
        }
        switch history.ending {
        case .nightsFirst:
            try passNights()
            try finish()
        case .nightsLast:
            try finish()
            try passNights()
        case .backfill: try load(op.backfill(""))
        }
    }

    private var op: Operator { Operator(dates: history.dates, pipelines: history.pipelines) }

    private func perform(_ step: HistoryStep) throws {
        switch step.effect {
        case .load(let command):
            try load(command)
            return
        case .look(let command): return try look(command)
        case .rotation: return try rotate(step)
        case .inputs, .otherFile: break
        case .pipeline(let new): pipeline = new
        case .caches: areCachesTouched = true
        case .push: isPushTouched = true
        case .partition(let date, _): loads.tamper(with: date, isClosed: closed?.holds(date) ?? false)
        }
        let outcome = try shell.run(step.shell)
        if outcome.exit == 124 { throw HistoryFault(.hang, "a tool hangs: \(step.shell)") }
        // A step that fails has put nothing in the way, such as an index of a push.db that is not there.
        if let obstacle = step.effect.obstacle, outcome.exit == 0 { obstacles.append(obstacle) }
    }

    /// Rotation of loaded files changes no state, and leaves nothing to load.
    private func rotate(_ step: HistoryStep) throws {
        let backfill = Operator(dates: history.dates, pipelines: []).backfill("")
        for _ in 0..<2 { try load(backfill) }
        let rotation = try RotationLaw(shell, last)
        let isCalm =
            try obstacles.isEmpty && loads.tampered.isEmpty
            && HistoryInputs(shell.folder, pipeline).unreadable.isEmpty
        _ = try shell.run(step.shell)
        guard isCalm else { return }
        try rotation.checkStates()
        try load(backfill)
        try rotation.checkLoads(last)
        counts.rotations += 1
    }

    // MARK: Commands that change nothing

    private func look(_ command: LookingCommand) throws {
        let outcome = try shell.run(command.step.shell)
        try checkEnd(outcome.exit)
        counts.commands += 1
        let isExcused = isPushTouched || !obstacles.isEmpty || !loads.tampered.isEmpty
        let isFixed = outcome.exit == 78 && !(closed?.fits(pipeline) ?? true)
        guard [0, 65, 66].contains(outcome.exit) || outcome.exit == 74 && isExcused || isFixed else {
            throw HistoryFault(.reader, "\(command.arguments): \(outcome.summary)")
        }
    }

    // MARK: Commands that load

    @discardableResult
    private func load(_ command: LoadingCommand) throws -> LoadingOutcome {
        hasJournal = shell.folder.exists("out/push.db-journal")
        isPushAwaited = shell.folder.exists("out/partitions/.kept/left") && !shell.folder.exists("out/push.db")
        let before = PushState(shell.folder, after: seen)
        seen = before
        try checkDoctorSees(before)
        let inputs = try HistoryInputs(shell.folder, pipeline)
        try checkHeldStates(inputs)
        missing = published.filter { !shell.folder.exists("out/partitions/\($0).sqlite") }
        // Where it cannot be read, nothing keeps the list.
        if before.snapshot == nil { deliveries.append([:]) }
        let outcome = LoadingOutcome(try shell.run(command.step.shell))
        last = outcome
        counts.commands += 1
        // The other command may have published, and have told of a change.
        if case .beside = command.circumstance { left = nil }
        let mayBeKilled =
            switch command.circumstance {
            case .killed, .killedAt: true
            default: false
            }
        try checkEnd(outcome.exit, mayBeKilled: mayBeKilled)
        // It may also be killed after it has printed its result.
        let isKilled = mayBeKilled && outcome.verdicts == nil
        try note(command, inputs, outcome, isCertain: !isKilled)
        notePassed(command, outcome)
        if try shell.folder.text("victim") != "mine\n" {
            throw HistoryFault(.foreignFile, "a link's target was written")
        }
        switch outcome.exit {
        case 137: wasKilled = true
        case 64: try checkRefusal(command, outcome, before)
        case 78:
            if closed?.fits(pipeline) ?? true { throw HistoryFault(.exitCode, "all is as it was: \(outcome.summary)") }
            try checkUnchanged(after: command, outcome, before)
            guard let former = history.pipelines.first(where: { closed?.fits($0) ?? true }) else { break }
            try perform(op.write(former))
            try loadAgain(command)
        case 75:
            let isAlone = command.circumstance == .undisturbed || isKilled
            if isAlone { throw HistoryFault(.exitCode, "nobody else is at work: \(outcome.summary)") }
        case 74:
            // It may have published the other dates, and have closed some.
            left = nil
            try checkRetention(
                command, inputs, outcome, shown: before.snapshot?.publishedDates, canTell: false)
            noteClosedDates()
            try checkFailure(command, inputs, outcome, before)
        default: try checkResult(command, inputs, outcome, before)
        }
        noteClosedDates()
        return outcome
    }

    /// Takes over which log dates are closed now.
    private func noteClosedDates() {
        // Whatever lies in its place is none that the program takes.
        guard !isRecordAway, let record = ClosedRecord(shell.folder) else { return }
        closed = record
        passed = passed.filter { !record.holds($0) }
    }

    func loadAgain(_ command: LoadingCommand) throws {
        var again = command
        again.circumstance = .undisturbed
        try load(again)
    }

    /// Takes over what the command says of its loads, and compares it with the reference.
    private func note(
        _ command: LoadingCommand, _ inputs: HistoryInputs, _ outcome: LoadingOutcome, isCertain: Bool
    ) throws {
        let read = namedDeliveries(pipeline, inputs.deliveryFiles)
        // Without an output nothing keeps them.
        let isRead = [0, 65].contains(outcome.exit) || outcome.exit == 66 && shell.folder.exists("out/push.db")
        if let read { deliveries = isRead ? [read] : deliveries + [read] }
        var others: Set<Day> = []
        if case .beside = command.circumstance { others = Set(command.dates) }
        if let date = command.givenUp, closed?.holds(date) ?? false, ![64, 75, 78].contains(outcome.exit) {
            hasGivenUp = true
            if !isCertain || outcome.exit == 74 {
                loads.tamper(with: date, isClosed: true)
            } else {
                loads.settle(date, nil)
            }
        }
        for date in Set(command.dates) {
            let judged = judge(date, inputs, force: command.isForced, standing: loads.standing(date))
            let forced = judge(date, inputs, force: true, standing: nil)
            note(forced.partition, of: date)
            if closed?.holds(date) ?? false {
                // The other command may have loaded a damaged one.
                if others.contains(date), let partition = forced.partition {
                    loads.mayHaveAccepted(partition, of: date)
                }
                try noteClosed(date, forced.partition, isCertain, inputs, outcome)
                continue
            }
            guard isCertain, !others.contains(date), let verdicts = outcome.verdicts else {
                if let partition = forced.partition { loads.mayHaveAccepted(partition, of: date) }
                continue
            }
            guard let verdict = verdicts[date] else { continue }
            if verdict == "held" { heldBack.insert(date) } else { heldBack.remove(date) }
            let isKnown = loads.isKnown(date) && !inputs.unreadable.contains(date)
            let expected =
                switch judged.verdict {
                case .noFiles: "no_files"
                case .heldBack: "held"
                case .loaded: judged.partition?.isComplete(by: pipeline) == true ? "loaded" : "partial"
                }
            // What is in the way is told, see `checkFailure`.
            let isHindered = verdict == "failed" && !obstacles.isEmpty
            // Whoever gives --force accepts what is missing.
            let isAccepted = verdict == "accepted" && judged.verdict == .loaded
            if isKnown, verdict != expected, !isAccepted, !isHindered {
                throw HistoryFault(.verdict, "\(date) is \(verdict), expected \(expected): \(outcome.summary)")
            }
            if ["loaded", "partial", "accepted"].contains(verdict), let partition = forced.partition {
                loads.accept(partition, of: date)
                passed.remove(date)
            }
        }
    }

    /// Takes over what is to be passed. What a command has done that did not end well, or beside another, only the record tells.
    private func notePassed(_ command: LoadingCommand, _ outcome: LoadingOutcome) {
        let record = isRecordAway ? nil : ClosedRecord(shell.folder)
        let isAlone = if case .beside = command.circumstance { false } else { true }
        let date = command.givenUp.flatMap { closed?.holds($0) ?? false ? nil : $0 }
        if [0, 65].contains(outcome.exit), isAlone {
            if let date { passed.insert(date) }
        } else if let record {
            passed.subtract(Set(command.dates).subtracting(record.passed))
            if let date, record.passed.contains(date) { passed.insert(date) }
        }
    }

    private func note(_ partition: Partition?, of date: Day) {
        let ids = (partition?.events ?? []).map(\.hit.broadlogID.text)
        for other in dates where other != date && !wandering.contains(other) {
            let planted = PlantedIDs(other)
            if ids.contains(where: { id in [planted.hex, planted.uuid, planted.opaque].contains { id.hasSuffix($0) } })
            {
                wandering.insert(other)
            }
        }
    }

    /// A closed log date is not loaded, unless its partition was damaged and its files are the former ones.
    private func noteClosed(
        _ date: Day, _ partition: Partition?, _ isCertain: Bool, _ inputs: HistoryInputs, _ outcome: LoadingOutcome
    ) throws {
        let verdict = outcome.verdicts?[date]
        // Its owner may have lost it, and puts it back later.
        if loads.tampered.contains(date) || !obstacles.isEmpty || wasRecordAway {
            if let verdict, ["loaded", "partial", "accepted"].contains(verdict), let partition {
                // Log dates without ids tell that there was a record.
                if isRecordAway, let closed, dates.contains(where: closed.isErased) {
                    throw HistoryFault(.verdict, "\(date) may be closed: \(outcome.summary)")
                }
                if loads.areOfOthers(than: pipeline, on: date) {
                    throw HistoryFault(.verdict, "\(date) is closed, and of another pipeline: \(outcome.summary)")
                }
                loads.settle(date, partition)
                // When the record is back, the partition is not the one that it has.
                if isRecordAway { loads.tamper(with: date, isClosed: true) }
            }
            return
        }
        if verdict != nil { throw HistoryFault(.verdict, "\(date) is closed: \(outcome.summary)") }
        let files = loads.standing(date)?.files ?? []
        let isLate = inputs.files(date).contains { file in
            let text = Unpacked(file.bytes).text
            return !text.isEmpty && files.allSatisfy { $0.path != file.path && $0.text != text }
        }
        if isCertain, loads.isKnown(date), isLate, outcome.exit == 0 {
            throw HistoryFault(.exitCode, "\(date) has late files: \(outcome.summary)")
        }
    }

    var isRecordAway: Bool { obstacles.contains { $0.removal.contains("partitions/closed") } }

    /// The owners of what stood in the way take it away.
    func clear() throws {
        for obstacle in obstacles.reversed() { _ = try shell.run(obstacle.removal) }
        // What was loaded without the record may be another partition than the one with which its date was closed.
        wasRecordAway = wasRecordAway || isRecordAway
        obstacles = []
        isPushTouched = true
        left = nil
        if PushState(shell.folder).copies.count >= 3 { _ = try shell.run("rm -f {.,out}/push.db.before-*") }
        // What is closed cannot be loaded again from other files.
        for date in loads.tampered.sorted() where closed?.holds(date) ?? false {
            _ = try shell.run("rm -rf out/partitions/\(date).sqlite")
            try load(Operator.giveUp(date, isForced: true))
        }
    }

    // MARK: The end

    /// From any state: the owners take away what stands in the way, set the pipeline back, and bring files without a fault. Then
    /// two nights end well.
    private func passNights() throws {
        try clear()
        let usual = history.pipelines.first { closed?.fits($0) ?? true } ?? history.pipelines[0]
        try perform(op.write(usual))
        try perform(
            HistoryStep(
                "rm -rf logs/*/*.log* deliveries; mkdir -p deliveries/e; printf 'delivery_id,label\\nd1,x\\n' >deliveries/e/list.csv"
            ))
        let shipper = LogShipper(dates: dates)
        for date in history.dates where !(closed?.holds(date) ?? false) { try perform(shipper.goodFiles(on: date)) }
        // A log date that has lost files is loaded from others only if that is asked for. It may be closed or damaged as it is.
        if usual.idDays != nil || !loads.tampered.isEmpty {
            var all = op.backfill(" --only all")
            all.isForced = true
            try load(all)
        }
        for (index, date) in history.nights.enumerated() {
            try perform(shipper.goodFiles(on: date))
            let span = history.nights[1].number - history.dates[0].number
            var night = LoadingCommand(
                arguments: "run --date \(date) --catch-up \(span)",
                dates: dates.filter { $0 <= date }, isForced: true)
            night.settles = index == 0 && usual.idDays != nil
            let outcome = try load(night)
            if outcome.exit != 0 { throw HistoryFault(.nights, "\(date): \(outcome.summary)") }
        }
    }

    /// Every history ends well: what stands in the way is removed, and all dates are loaded once more.
    private func finish() throws {
        try clear()
        var all = op.backfill(" --only all")
        all.isForced = true
        try load(all)
        let inputs = try HistoryInputs(shell.folder, pipeline)
        guard inputs.unreadable.isEmpty, loads.tampered.isEmpty, shell.folder.exists("out/push.db") else { return }
        let bytes = shell.folder.contentsOfAll("out")
        try load(Operator.nothing)
        // Caches may be completed, since a stamp is stored only when it has settled. Where they are kept from the program, push.db is
        // made anew each time.
        let isForgotten = !shell.folder.exists("out/partitions/.kept/left")
        let changed = shell.folder.contentsOfAll("out").filter { name, content in
            bytes[name] != content && !name.hasPrefix("partitions/.kept/") && !(isForgotten && name == "push.db")
        }
        if !changed.isEmpty {
            throw HistoryFault(.restlessness, "a command with nothing to do changed \(changed.keys.sorted())")
        }
        for command in LookingCommand.all { try look(command) }
        try checkDoctor()
        // The journal of a tool that was killed before it was synced begins with a zero. To SQLite it is nothing, until the next
        // transaction takes its place.
        let wasToolKilled = history.steps.contains { $0.shell.contains("crashed_sql") }
        for (folder, fits) in [
            ("out", /push\.db(?:\.before-\d{8}T\d{6}Z.*)?|partitions|nowhere/),
            ("out/partitions", /\d{4}-\d\d-\d\d\.sqlite|closed|\.kept|\.held|\.lock|nowhere/),
        ] {
            let surplus = try shell.folder.names(folder).filter { name in
                let isNothing = wasToolKilled && shell.folder.contents("\(folder)/\(name)")?.first == 0
                return name.wholeMatch(of: fits) == nil && !(name == "push.db-journal" && isNothing)
            }
            if !surplus.isEmpty { throw HistoryFault(.leftovers, "\(folder) has \(surplus)") }
        }
    }
}
