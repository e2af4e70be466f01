import Calendar
import Ledger
import Partitions
import Posix
import SQLite

/// The result of a publishing.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's row of the history was written too.
    package var isRecorded: Bool
    /// The log dates of the published partitions, sorted.
    package var logDates: [Int32]
    /// Why some partitions were left out.
    package var damaged: [WarehouseError] = []
    /// Log dates that were published until now, and whose partitions are gone. Sorted.
    package var vanished: [Int32] = []
    /// Deliveries of which more messages arrived than were sent, among those that changed.
    package var understated: [UnderstatedDelivery]
    /// How push.db differed from the state that the last command left; nil if it did not.
    package var repair: OutputRepair?
    /// Why the history of the ledger is that of push.db; nil if it is not.
    package var loss: LedgerLoss?
    /// What was closed, settled and erased; nil if nothing of that was asked for.
    package var closing: ClosingResult?

    /// Adds what another publishing of the same command did before.
    mutating func add(_ other: Publication?) {
        guard let other else { return }
        changed = changed || other.changed
        understated = other.understated + understated.filter { !other.understated.contains($0) }
        repair = repair ?? other.repair
    }
}

/// Brings the ledger to what the partitions and settled files say, and push.db to what follows from it.
///
/// First one transaction on the ledger, then one on push.db, then one on the ledger again, which clears what was to be done. A
/// command that is killed between two of them leaves what the next one goes on with: it does the same once more.
struct Publisher {
    private let held: HeldOutput
    private let output: OutputDatabase
    private let resources: PublishingResources
    /// What the last command left; nil if nobody knows.
    private var left: LeftFiles?
    private var ledger: OpenLedger
    /// Whether it is noted that the files are being written.
    private var hasBegun = false
    /// What was left before that.
    private var before: LeftFiles?

    private var folder: OutputFolder { output.folder }

    /// Opens the ledger.
    init(
        _ output: OutputDatabase, in held: HeldOutput, _ resources: PublishingResources = PublishingResources()
    ) throws(WarehouseError) {
        assert(held.folder == output.folder)
        (self.held, self.output, self.resources) = (held, output, resources)
        left = LeftFiles(in: output.folder)
        ledger = try OpenLedger(of: output, left)
    }

    /// Notes that the files are being written.
    private mutating func begin() throws(WarehouseError) {
        if hasBegun { return }
        hasBegun = true
        before = left
        var left = left ?? LeftFiles(output: ledger.output)
        left.output = ledger.output
        // After a command that was killed, what it has begun with still counts.
        if !left.isWriting { (left.ledger, left.push) = (OutputStamp(ledger.path), OutputStamp(output.path)) }
        left.isWriting = true
        try left.store(in: held)
        self.left = left
    }

    /// Notes that they are written, or only the ledger: then of push.db no more is known than before.
    private mutating func end(isPushWritten: Bool = true) throws(WarehouseError) {
        assert(hasBegun)
        hasBegun = false
        let push = isPushWritten ? OutputStamp(output.path) : before?.push
        var left = LeftFiles(output: ledger.output, ledger: OutputStamp(ledger.path), push: push)
        left.isWriting = !isPushWritten && before?.isWriting == true
        try left.store(in: held)
        self.left = left
    }

    /// Adds to the history of the ledger alone. push.db gets it with the next publishing.
    mutating func note(_ loads: [LoadRecord] = [], _ run: RunRecord? = nil) throws(WarehouseError) {
        try begin()
        try add(loads, run)
        try end(isPushWritten: false)
    }

    private mutating func add(_ loads: [LoadRecord], _ run: RunRecord?) throws(WarehouseError) {
        if loads.isEmpty, run == nil { return }
        try begin()
        try ledger.write { database in
            let history = LedgerHistory(in: database)
            try history.add(loads, in: folder)
            if let run { _ = try history.add(run) }
            try Ledger.setFact("waiting", "1", database)
        }
    }

    /// Keeps what the checks found.
    mutating func keep(_ findings: String?) throws(WarehouseError) {
        try begin()
        try ledger.write { database in
            try Ledger.setFact(CheckFinding.item, findings, database)
            try Ledger.setFact("waiting", "1", database)
        }
        try end(isPushWritten: false)
    }

    /// Writes the rows of the history that push.db lacks, if nothing else is to be written.
    mutating func publishHistory() throws(WarehouseError) {
        try ledger.takeOverRest(output)
        let push = try PushState(output, left)
        guard push.content == .left, try ledger.read({ try !LedgerState($0).hasWork }) else { return }
        try begin()
        var writing = PushWriting(output: output, ledger: Ledger(of: folder), state: push, isFirst: false)
        _ = try update(&writing) { _ in nil }
        try ledger.write { try Ledger.setFact("waiting", nil, $0) }
        try end()
    }

    mutating func publish(
        _ settings: PublicationSettings, _ closing: Closing?, _ loads: () -> [LoadRecord],
        _ recording: (_ changed: Bool, _ hasDamage: Bool) throws -> RunRecord?
    ) throws(WarehouseError) -> Publication {
        try ledger.takeOverRest(output)
        // Before the work starts, so that errors are known.
        var push = try PushState(output, left)
        let shown = try shownLogDates(push)
        var healed: Publication?
        if push.content == .unknown || push.content != .left && !shown.isEmpty,
            try ledger.read({ try LedgerState($0).showsPublished })
        {
            // The ledger still says what was published, so it is known what something else has changed.
            healed = try write(push, []) { _ in nil }
            push = PushState(left: output)
        }
        // What others have changed in push.db was to be seen without them.
        try add(loads(), nil)
        var attempt = Attempt(push: push, old: try OldLogDates(in: folder, held, resources))
        while true {
            do {
                var publication = try publish(&attempt, settings, closing) {
                    try recording($0 || healed?.changed ?? false, $1)
                }
                publication.add(healed)
                let closed = attempt.old.closed
                publication.vanished = shown.subtracting(publication.logDates)
                    .subtracting(PartitionDamage.damaged(publication.damaged).map(\.0))
                    .filter { !(closed?.holds($0) ?? false) }.sorted()
                return publication
            } catch {
                try repair(&attempt, after: error)
            }
        }
    }

    /// The log dates that push.db shows. The ledger knows them, unless one of the two is not as it was left.
    private func shownLogDates(_ push: PushState) throws(WarehouseError) -> Set<Int32> {
        if push.content == .unknown || push.content == .left && ledger.isAnew {
            return try output.publishedLogDates() ?? []
        }
        return try ledger.read { database in
            Set(try database.column("SELECT log_date FROM published_versions").compactMap(CalendarText.day))
        }
    }

    /// What a publishing goes on with. Some damage is found only while a file is read: then it begins once more.
    private struct Attempt {
        var push: PushState
        var old: OldLogDates
        /// Partitions that turned out to be damaged, by path.
        var faulty: [String: WarehouseError] = [:]
        var hasLookedAgain = false
    }

    private mutating func publish(
        _ attempt: inout Attempt, _ settings: PublicationSettings, _ closing: Closing?,
        _ recording: (_ changed: Bool, _ hasDamage: Bool) throws -> RunRecord?
    ) throws(WarehouseError) -> Publication {
        let faulty = attempt.faulty
        var (partitions, damaged) = try PartitionSet.open(
            folder, attempt.old.closed, attempt.old.settled, without: Set(faulty.keys), workers: resources.workers)
        damaged += faulty.values
        PartitionDamage.store(damaged, in: held)
        if let closing {
            let published = try output.publishedLogDates() ?? []
            try attempt.old.close(closing, partitions, damaged: damaged, published: published, settings, in: held)
        }
        try update(&partitions, &attempt.old, faulty, settings)
        var publication = try write(attempt.push, partitions.summaries) { try recording($0, !damaged.isEmpty) }
        publication.damaged = damaged.sorted { ($0.path ?? "") < ($1.path ?? "") }
        PartitionDamage.remove(allBut: damaged, in: held)
        attempt.old.erase(in: held)
        publication.closing = attempt.old.result
        return publication
    }

    /// Does what lets a publishing begin once more.
    /// - Throws: `error` if nothing does.
    private mutating func repair(_ attempt: inout Attempt, after error: WarehouseError) throws(WarehouseError) {
        if error.damage != nil, error.path == output.path, !attempt.hasLookedAgain {
            attempt.hasLookedAgain = true
            attempt.push = try PushState(lookingAt: output)
            return
        }
        if error.damage != nil, error.path == ledger.path, !ledger.isAnew { return try ledger.makeAnew(output) }
        if error.damage != nil, [output.path, ledger.path].contains(error.path) {
            // The next command looks at both.
            try LeftFiles.forget(in: folder)
        }
        // Other commands say so too, and it can be loaded again.
        if case .retention(.ids) = error { PartitionDamage.store([error], in: held) }
        // It goes on without a damaged partition.
        guard error.isDamage, let path = error.path, PartitionName.logDate(ofPartitionAt: path) != nil,
            attempt.faulty[path] == nil
        else { throw error }
        attempt.faulty[path] = error
    }

    /// Updates the ledger, and settles what is due: then once more, since the settled files take the place of partitions.
    private mutating func update(
        _ partitions: inout PartitionSet, _ old: inout OldLogDates, _ faulty: [String: WarehouseError],
        _ settings: PublicationSettings
    ) throws(WarehouseError) {
        let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, faulty)
        try run(partitions, withIDs, old, settings)
        let due = old.dueDates(withIDs)
        guard !due.isEmpty else { return }
        for start in stride(from: 0, to: due.count, by: OldLogDates.atATime) {
            let piece = Set(due[start..<min(start + OldLogDates.atATime, due.count)])
            let parts = try ledgerUpdate(partitions, withIDs, old, settings).parts(ofDue: piece)
            let differs = try ledger.read { database in
                try parts.contains { try LedgerRows.differ(from: $0, in: database) }
            }
            if differs {
                // What is settled stays for ever, so nothing of it comes from a doubtful ledger.
                try ledger.makeAnew(output)
                try run(partitions, withIDs, old, settings)
            }
            try old.settle(parts, partitions, settings, in: held)
        }
        partitions.settle(old.settled)
        let others = try partitions.withIDs(old.closed, windowDays: settings.windowDays, faulty)
        try run(partitions, others, old, settings)
    }

    private mutating func run(
        _ partitions: PartitionSet, _ withIDs: PartitionSet, _ old: OldLogDates, _ settings: PublicationSettings
    ) throws(WarehouseError) {
        try ledgerUpdate(partitions, withIDs, old, settings).run(ledger.database) { () throws(WarehouseError) in
            try begin()
        }
    }

    private func ledgerUpdate(
        _ partitions: PartitionSet, _ withIDs: PartitionSet, _ old: OldLogDates, _ settings: PublicationSettings
    ) -> LedgerUpdate {
        LedgerUpdate(
            Ledger(of: folder), all: partitions, withIDs: withIDs, settings, resources, settled: old.settled)
    }

    // MARK: push.db

    /// Writes push.db, and notes in the ledger that it is written. If somebody wrote it meanwhile, it is looked at once more.
    private mutating func write(
        _ push: PushState, _ partitions: [PartitionSummary], _ recording: PushWriting.Recording
    ) throws(WarehouseError) -> Publication {
        do throws(WarehouseError) {
            return try writeOnce(push, partitions, recording)
        } catch {
            guard case .replaced(output.path) = error else { throw error }
            return try writeOnce(try PushState(lookingAt: output), partitions, recording)
        }
    }

    /// Writes to the push.db that is there. If somebody else reads or writes it all the time, it stays as it was, and what they
    /// change in it meanwhile is a change of others.
    private mutating func update(
        _ writing: inout PushWriting, _ recording: PushWriting.Recording
    ) throws(WarehouseError) -> RunRecord? {
        do throws(WarehouseError) {
            return try writing.update(recording)
        } catch {
            if case .busy(output.path) = error, before?.isWriting == false { try end(isPushWritten: false) }
            throw error
        }
    }

    private mutating func writeOnce(
        _ push: PushState, _ partitions: [PartitionSummary], _ recording: PushWriting.Recording
    ) throws(WarehouseError) -> Publication {
        let logDates = partitions.map(\.logDate)
        if push.content == .left, !hasBegun, try ledger.read({ try !LedgerState($0).hasAnything }),
            try reportingFacts(of: output.path, { try recording(false) }) == nil
        {
            return Publication(
                changed: false, isRecorded: false, logDates: logDates, understated: [], loss: ledger.loss)
        }
        try begin()
        let isFirst = partitions.allSatisfy { resources.justWritten.contains($0.logDate) }
        var writing = PushWriting(output: output, ledger: Ledger(of: folder), state: push, isFirst: isFirst)
        let run =
            switch push.content {
            case .missing, .malformed: try writing.replace(left, in: held, recording)
            case .left, .unknown: try update(&writing, recording)
            }
        try ledger.write { database in
            if let run { _ = try run.insertIfNew(into: database) }
            try writing.note(in: database)
        }
        try end()
        var repair = push.repair ?? OutputRepair()
        repair.tables = Set(repair.tables).union(writing.changedByOthers).sorted()
        repair.copy = writing.copy
        return Publication(
            changed: writing.isChanged, isRecorded: run != nil, logDates: logDates,
            understated: writing.understated, repair: repair == OutputRepair() ? nil : repair, loss: ledger.loss)
    }
}
