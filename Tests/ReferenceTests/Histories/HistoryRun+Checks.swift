import Foundation
import Reference
import SQLite
import Support

/// What must hold after a command.
extension HistoryRun {
    func checkEnd(_ exit: Int32, mayBeKilled: Bool = false) throws {
        if mayBeKilled, exit == 137 { return }
        if exit == 124 || exit == 137 { throw HistoryFault(.hang, "still at work after 20 seconds") }
        if exit > 128 || exit < 0 { throw HistoryFault(.trap, "ended by signal \(exit - 128)") }
        guard [0, 64, 65, 66, 74, 75, 78].contains(exit) else { throw HistoryFault(.exitCode, "exit code \(exit)") }
    }

    func checkUnchanged(after command: LoadingCommand, _ outcome: LoadingOutcome, _ before: PushState) throws {
        // The other command may have published.
        if case .beside = command.circumstance { return }
        if hasJournal || shell.folder.contents("out/push.db") == before.bytes { return }
        throw HistoryFault(.exitCode, "push.db was changed: \(outcome.summary)")
    }

    /// After exit code 64: there is no `retention`, or the log date has nothing to pass or to give up.
    func checkRefusal(_ command: LoadingCommand, _ outcome: LoadingOutcome, _ before: PushState) throws {
        try checkUnchanged(after: command, outcome, before)
        if pipeline.idDays == nil, command.settles || command.givenUp != nil { return }
        guard let date = command.givenUp else {
            throw HistoryFault(.exitCode, "nothing is wrong with the command: \(outcome.summary)")
        }
        if closed?.holds(date) ?? false, missing.contains(date) {
            throw HistoryFault(.exitCode, "\(date) is gone: \(outcome.summary)")
        }
    }

    /// After exit code 74: somebody's obstacle is to blame, and no file of another is changed. Its owner removes it.
    func checkFailure(
        _ command: LoadingCommand, _ inputs: HistoryInputs, _ outcome: LoadingOutcome, _ before: PushState
    ) throws {
        let summary = outcome.summary
        if outcome.stderr.isEmpty { throw HistoryFault(.exitCode, "no sentence: \(summary)") }
        // Somebody has put tables of their own into a push.db that was emptied before: it is theirs now.
        let isOthers = summary.contains("another application's database")
        if obstacles.isEmpty, before.snapshot?.tables.isEmpty == true, isOthers {
            obstacles.append(HistoryStep.Obstacle(removal: "mv out/push.db app.db", keepsFile: true))
        }
        let hasThreeCopies = before.copies.count >= 3
        if obstacles.isEmpty, !hasThreeCopies, inputs.unreadable.isEmpty {
            guard !loads.tampered.isEmpty else { throw HistoryFault(.exitCode, "nothing is in its way: \(summary)") }
            // Where something else has the name of the folder for it, damage is not remembered.
            let kept = try? FileManager.default.attributesOfItem(atPath: shell.folder.path("out/partitions/.kept"))
            if let kept, kept[.type] as? FileAttributeType != .typeDirectory { return }
            // Only damaged partitions are left to blame. A backfill loads their dates again, but for closed ones. Beside one of
            // those, or of a later log date, a byte of another may have changed that nobody uses.
            func isClosed(_ date: Day) -> Bool { closed?.holds(date) ?? false }
            func isNamed(_ date: Day) -> Bool { outcome.stderr.contains("\(date).sqlite") }
            let hasOther = loads.tampered.contains { isNamed($0) && (isClosed($0) || !command.dates.contains($0)) }
            let wanted = loads.tampered.filter {
                command.dates.contains($0) && mayBeLoaded($0, command, inputs) && !outcome.shrunk.contains($0)
                    && (!isClosed($0) || mayComeBack($0, inputs, before)) && (!hasOther || isNamed($0))
            }
            let isBackfill = command.arguments.hasPrefix("backfill") && !command.arguments.contains("--only")
            if isBackfill, !wanted.isEmpty {
                throw HistoryFault(.exitCode, "\(wanted.sorted()) were not loaded again: \(summary)")
            }
            // The other command may have loaded them again.
            if case .beside = command.circumstance { return }
            let states = try RotationLaw.states(shell)
            // Beside a push.db that cannot be read, none are told.
            let isTold = before.snapshot?.faults.isEmpty == true || !states.isEmpty
            if isTold, !loads.tampered.contains(where: { states["\($0)"]?.hasPrefix("damaged") == true }) {
                throw HistoryFault(.verdict, "status shows no damage: \(states), \(summary)")
            }
        }
        if obstacles.count == 1, obstacles[0].keepsFile, let bytes = before.bytes,
            shell.folder.contents("out/push.db") != bytes
        {
            throw HistoryFault(.foreignFile, "push.db of another is not left as it was: \(summary)")
        }
        // A file that cannot be read explains the exit code too, if the index has kept no row out.
        let isOnlyUnreadable = !inputs.unreadable.isDisjoint(with: command.dates)
        if let name = obstacles.last?.name, obstacles.count == 1, loads.tampered.isEmpty, !isOnlyUnreadable,
            !outcome.stderr.contains(name)
        {
            throw HistoryFault(.exitCode, "\(name) is not named: \(summary)")
        }
        guard !obstacles.isEmpty || hasThreeCopies else { return }
        try clear()
        try loadAgain(command)
    }

    /// Whether a closed log date can be loaded again: its partition is damaged, nothing has settled, and its files are those of its
    /// load, which push.db has.
    private func mayComeBack(_ date: Day, _ inputs: HistoryInputs, _ before: PushState) -> Bool {
        let former = loads.loads(of: date).compactMap(\.partition)
        let known = before.snapshot?.tables["files"]?.rows ?? []
        guard former.count == 1, known.contains(where: { PushSnapshot.logDate(of: $0) == "log_date=\"\(date)\"" }),
            shell.folder.exists("out/partitions/\(date).sqlite"),
            closed?.settled.contains(date) == false
        else { return false }
        var standing = former[0].pipeline
        standing.idDays = pipeline.idDays
        return standing == pipeline
            && inputs.files(date).map { [Bytes($0.path), $0.bytes] }
                == former[0].files.map { [Bytes($0.path), $0.stored] }
    }

    func checkResult(
        _ command: LoadingCommand, _ inputs: HistoryInputs, _ outcome: LoadingOutcome, _ before: PushState
    ) throws {
        if !(closed?.fits(pipeline) ?? true), !isRecordAway {
            throw HistoryFault(.exitCode, "settled figures have other settings: \(outcome.summary)")
        }
        let after = PushState(shell.folder, after: before)
        seen = after
        let wasTouched = isPushTouched || areCachesTouched || !loads.tampered.isEmpty
        guard let new = after.snapshot else {
            let mayBeNone = dates.allSatisfy { date in loads.loads(of: date).contains { $0.partition == nil } }
            if mayBeNone, before.snapshot == nil { return }
            throw HistoryFault(.figures, "push.db is gone or cannot be read: \(outcome.summary)")
        }
        let check = HealCheck(before: before, after: after, new: new, fresh: fresh, outcome: outcome, left: left)
        try check.checkOthers()
        try check.checkDefinitions()
        // Beside an obstacle the other command may have loaded after this one has published, and failed to publish.
        let isSettled = if case .beside = command.circumstance { obstacles.isEmpty } else { true }
        try checkFigures(new, outcome, isSettled: isSettled)
        try checkChanges(before, new, outcome)
        if !wasTouched { try checkLoads(new, outcome) }
        try checkHolds(command, inputs, new, outcome)
        try checkGone(outcome)
        try checkUnreadable(command, inputs, outcome)
        try checkWarnings(before, outcome)
        try checkDepartures(command, before, new, outcome)
        if case .beside = command.circumstance {
        } else {
            try check.checkFile()
            try checkPending(outcome)
        }
        try checkShrunk(inputs, outcome)
        let canTell = before.snapshot != nil && !isPushTouched || published.isEmpty && !isPushAwaited
        try checkRetention(command, inputs, outcome, shown: before.snapshot?.publishedDates, canTell: canTell)
        published.formUnion(dates.filter { new.publishedDates.contains("\($0)") })
        if wasTouched { counts.heals += 1 }
        left = new
        (isPushTouched, wasKilled) = (false, false)
        // Without a folder for them, nothing can be remembered.
        areCachesTouched = !shell.folder.exists("out/partitions/.kept/left")
        if wasTouched { try checkDoctor() }
    }

    /// - Parameters:
    ///   - shown: the log dates that push.db had before, if it could be read.
    ///   - canTell: whether push.db tells which log dates were loaded. Else nothing is closed this time.
    func checkRetention(
        _ command: LoadingCommand, _ inputs: HistoryInputs, _ outcome: LoadingOutcome, shown: Set<String>?,
        canTell: Bool
    ) throws {
        if case .beside = command.circumstance { return }
        guard obstacles.isEmpty else { return }
        let check = RetentionCheck(
            dates: dates, pipeline: pipeline, loads: loads, inputs: inputs, command: command, outcome: outcome,
            before: closed, after: ClosedRecord(shell.folder), heldBack: heldBack, passed: passed,
            lost: missing.filter { date in
                // Those that push.db no longer had were told before. What was loaded may be erased already.
                shown?.contains("\(date)") ?? true && !shell.folder.exists("out/partitions/\(date).sqlite")
                    && !["loaded", "partial", "accepted"].contains(outcome.verdicts?[date])
            })
        // What was put off is closed by the next command that has something to publish.
        let hasFiles = command.dates.contains { !inputs.files($0).isEmpty }
        try check.checkClosing(isCalm: canTell && hasFiles && dates.allSatisfy(loads.isKnown))
        if pipeline.idDays != nil, loads.tampered.isEmpty { try check.checkErasure(shell.folder, wandering: wandering) }
    }

    /// - Parameter isSettled: whether push.db shows what the partitions say.
    private func checkFigures(_ new: PushSnapshot, _ outcome: LoadingOutcome, isSettled: Bool) throws {
        let published = new.publishedDates
        var choices: [[(Day, AcceptedLoads.Load)]] = [[]]
        for date in dates {
            let isThere = published.contains("\(date)")
            let fitting = loads.loads(of: date).filter { ($0.partition != nil) == isThere }
            if fitting.isEmpty {
                throw HistoryFault(.figures, "\(date) is \(isThere ? "" : "not ")in partitions: \(outcome.summary)")
            }
            choices = choices.flatMap { choice in fitting.map { choice + [(date, $0)] } }
        }
        if published.isEmpty { return }
        var first: String?
        for choice in choices.prefix(256) {
            for named in deliveries {
                let publication = Publication(
                    partitions: choice.compactMap(\.1.partition), pipeline: pipeline, deliveries: named)
                let others: Set = ["partitions", "files", "outcomes"]
                let expected = publication.tables.filter { !hasGivenUp || others.contains($0.name) }
                let fault = difference(try shell.folder.tables("out/push.db", like: expected), expected)
                if fault == nil {
                    if isSettled { for (date, load) in choice { loads.resolve(date, load) } }
                    deliveries = [named]
                    counts.comparisons += 1
                    return
                }
                first = first ?? fault
            }
        }
        throw HistoryFault(.figures, "\(first ?? "")\n\(outcome.summary)")
    }

    /// `changes` has a row for each day of which a figure is another one, whatever somebody has done to push.db. To publish the
    /// same again, such as to mend push.db, changes no sum. A push.db that begins anew has a row for each day.
    private func checkChanges(_ before: PushState, _ new: PushSnapshot, _ outcome: LoadingOutcome) throws {
        let rows = new.tables["changes"]?.rows ?? []
        let sums = ["events", "messages", "opened"].flatMap { ["\($0)_before=", "\($0)_after="] }
        let isNumber = { (text: Substring) in !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        let odd = rows.joined().first { cell in
            sums.contains { cell.hasPrefix($0) && !isNumber(cell.dropFirst($0.count)) }
        }
        if let odd {
            throw HistoryFault(.figures, "changes has \(odd): \(outcome.summary)")
        }
        let untold = new.days.subtracting(rows.compactMap(PushSnapshot.day))
        if before.snapshot == nil, !untold.isEmpty {
            throw HistoryFault(.figures, "\(untold.sorted()) are new, and not in changes: \(outcome.summary)")
        }
        guard let left else { return }
        if !areCachesTouched, !wasKilled, !isPushTouched {
            let days = Set(new.added(to: "changes", since: left).compactMap(PushSnapshot.day))
            let changed = new.daysChanged(since: left)
            if days != changed {
                throw HistoryFault(
                    .figures, "\(changed.sorted()) have changed, changes has \(days.sorted()): \(outcome.summary)")
            }
        }
        // What somebody has changed in the sums counts as what was there.
        if isPushTouched || areCachesTouched { return }
        // To undo what a killed command began changes the times of push.db: it is made anew, with a row for each day.
        if wasKilled, hasJournal { return }
        guard left.publishedVersions == new.publishedVersions else { return }
        // An older push.db may have been put back.
        let known = [left, before.snapshot].flatMap { $0?.tables["changes"]?.rows ?? [] }
        let added = Set(new.tables["changes"]?.rows ?? []).subtracting(known).count
        // With another window the same partitions give other figures.
        // A command that was killed may have published between.
        let former = wasKilled ? before.snapshot ?? left : left
        if added > new.daysChanged(since: former).count {
            throw HistoryFault(.figures, "\(added) rows of changes without a change: \(outcome.summary)")
        }
    }

    /// Each load has its row, also if the command was killed between the load and the row.
    private func checkLoads(_ new: PushSnapshot, _ outcome: LoadingOutcome) throws {
        guard let left else { return }
        let told = Set(new.added(to: "loads", since: left).compactMap(PushSnapshot.logDate))
        let untold = new.logDatesChanged(since: left).subtracting(told)
        if !untold.isEmpty {
            throw HistoryFault(.figures, "\(untold.sorted()) have no row in loads: \(outcome.summary)")
        }
    }

    /// A log file that cannot be read is never passed over.
    private func checkUnreadable(_ command: LoadingCommand, _ inputs: HistoryInputs, _ outcome: LoadingOutcome) throws {
        guard command.arguments.hasPrefix("run"), case .undisturbed = command.circumstance else { return }
        let open = command.dates.filter { inputs.unreadable.contains($0) && closed?.holds($0) != true }
        if !open.isEmpty { throw HistoryFault(.exitCode, "\(open) cannot be read: \(outcome.summary)") }
    }

    /// What a killed command had left to tell does not stay once it is told.
    private func checkPending(_ outcome: LoadingOutcome) throws {
        guard shell.folder.exists("out/partitions/.kept/left"), obstacles.isEmpty else { return }
        let pending = try shell.folder.names("out/partitions/.kept").filter { $0.hasSuffix(".load") }
        if !pending.isEmpty { throw HistoryFault(.leftovers, "\(pending) are still to be told: \(outcome.summary)") }
    }

    /// A log date is left alone for lost files only if one was lost that was whole, and not empty.
    private func checkShrunk(_ inputs: HistoryInputs, _ outcome: LoadingOutcome) throws {
        for date in outcome.shrunk.subtracting(heldBack).subtracting(inputs.unreadable) {
            guard let standing = loads.standing(date) else { continue }
            let paths = Set(inputs.files(date).map(\.path))
            let lost = standing.files.filter { $0.status == .ok && !$0.text.isEmpty && !paths.contains($0.path) }
            if lost.isEmpty { throw HistoryFault(.verdict, "\(date) has lost no file: \(outcome.summary)") }
        }
    }

    /// As long as the partition of a closed log date is gone, no command ends as if all were well.
    private func checkGone(_ outcome: LoadingOutcome) throws {
        guard let record = ClosedRecord(shell.folder), obstacles.isEmpty else { return }
        let gone = record.loaded.subtracting(record.givenUp).filter {
            record.holds($0) && !shell.folder.exists("out/partitions/\($0).sqlite")
        }
        if !gone.isEmpty { throw HistoryFault(.silence, "\(gone.sorted()) are gone: \(outcome.summary)") }
    }

    /// No log date leaves push.db in silence, but one that the command was to give up.
    private func checkDepartures(
        _ command: LoadingCommand, _ before: PushState, _ new: PushSnapshot, _ outcome: LoadingOutcome
    ) throws {
        // The other command may have told.
        if case .beside = command.circumstance { return }
        let departed = (before.snapshot?.publishedDates ?? []).subtracting(new.publishedDates)
            .filter { !command.arguments.contains("--give-up \($0)") }
        // An earlier command that could not write push.db may have given it up.
        let givenUp = Set((ClosedRecord(shell.folder)?.givenUp ?? []).map { "\($0)" })
        let isTold =
            departed.subtracting(givenUp).allSatisfy(outcome.stderr.contains)
            || outcome.stderr.contains("partitions are gone")
        if !isTold { throw HistoryFault(.silence, "\(departed) left push.db: \(outcome.summary)") }
    }

    /// Nobody is told of a change that was none, and everybody of one that a reader could see.
    private func checkWarnings(_ before: PushState, _ outcome: LoadingOutcome) throws {
        let warnings = outcome.pushWarnings
        if !isPushTouched, !warnings.isEmpty {
            throw HistoryFault(.accusation, "nobody has changed push.db: \(outcome.summary)")
        }
        guard let left, !wasKilled, let found = before.snapshot, !areCachesTouched else { return }
        let changed = found.visibleDifferences(from: left)
        if !changed.isEmpty, warnings.isEmpty, loads.tampered.isEmpty {
            throw HistoryFault(.silence, "\(changed) had other rows, and nobody was told: \(outcome.summary)")
        }
    }

    /// Whoever can see other rows than the last command left is told of them, and nothing is changed by that.
    func checkDoctorSees(_ found: PushState) throws {
        guard isPushTouched, obstacles.isEmpty, let left, let snapshot = found.snapshot else { return }
        // A command that was killed may have published.
        if wasKilled, snapshot.publishedVersions != left.publishedVersions { return }
        var differences = snapshot.visibleDifferences(from: left)
        // What was warned of, and accepted, is told by the history alone.
        func partitions(_ push: PushSnapshot) -> [[String]]? {
            push.tables["partitions"]?.rows?.map {
                $0.filter { !$0.hasPrefix("accepted_as_is=") && !$0.hasPrefix("warnings=") }
            }
        }
        if partitions(snapshot) == partitions(left) { differences.removeAll { $0 == "partitions" } }
        // A former push.db whose history began at another time is whole, too.
        let isFormer = differences == ["about"] && snapshot.historySince != left.historySince
        if differences.isEmpty || isFormer { return }
        let files = shell.folder.contentsOfAll("out")
        let outcome = try shell.run("pushetl doctor -p push.yaml")
        try checkEnd(outcome.exit)
        if outcome.exit == 0 {
            throw HistoryFault(.doctor, "\(differences) have other rows, and doctor finds no fault")
        }
        // That a partition is damaged is noted for other commands.
        let changed = shell.folder.contentsOfAll("out").filter { name, content in
            files[name] != content && !name.hasPrefix("partitions/.kept/")
        }
        if !changed.isEmpty { throw HistoryFault(.doctor, "doctor has changed \(changed.keys.sorted())") }
    }

    func checkDoctor() throws {
        guard loads.tampered.isEmpty, obstacles.isEmpty else { return }
        let outcome = try shell.run("pushetl doctor -p push.yaml")
        try checkEnd(outcome.exit)
        // What others added may not have been in the way yet.
        let isObstacleOnly =
            outcome.stdout.contains(/\n1 check of \d+ found faults\n/)
            && outcome.stdout.contains("something that others have added does not let it be written")
        if outcome.exit != 0, !isObstacleOnly {
            throw HistoryFault(.doctor, "exit code \(outcome.exit)\n\(outcome.stdout)\n\(outcome.stderr)")
        }
    }
}
