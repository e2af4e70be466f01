import Calendar
import Foundation
import Messages
import Partitions
import Posix

/// Makes push.db show the partitions.
struct Publisher {
    /// The most log dates whose final rows are in memory at the same time.
    private static let settlingAtATime = 32

    let output: OutputDatabase
    let locked: LockedOutput
    let request: PublishRequest

    private var folder: OutputFolder { output.folder }
    private var settings: PublicationSettings { request.settings }
    private var resources: PublishingResources { request.resources }

    /// Makes a plan, and does what it says. Some damage is found only while a file is read: then it begins once more.
    func publish() throws -> Publication {
        var second = SecondLook(output: output)
        while true {
            let plan = try PublishPlan(
                for: request, output: output, push: second.push, trustsStamps: second.trustsStamps)
            do {
                return try perform(plan)
            } catch {
                try second.look(after: error, tried: plan.push)
            }
        }
    }

    private func perform(_ plan: PublishPlan) throws -> Publication {
        plan.partitions.known.write(in: locked)
        var publication = Publication(isChanged: plan.hasWork, logDates: plan.partitions.dates)
        publication.damaged = plan.partitions.damaged.sorted { $0.path < $1.path }
        publication.vanished = plan.vanished
        var partitions = plan.partitions
        if plan.record != plan.formerRecord { try plan.record?.write(in: locked) }
        try settle(by: plan, in: &partitions)
        if plan.writesPush { try write(plan, partitions: partitions, publication: &publication) }
        if request.closing != nil { publication.closing = closingResult(of: plan, partitions: partitions) }
        return publication
    }

    // MARK: Old log dates

    /// Writes the final rows of log dates that are due into their partitions, and only then updates the record. If the
    /// command is killed in between, the log dates settle again.
    private func settle(by plan: PublishPlan, in partitions: inout PartitionSet) throws {
        guard var record = plan.record, !plan.settling.isEmpty else { return }
        let dates = plan.settling
        for start in stride(from: 0, to: dates.count, by: Publisher.settlingAtATime) {
            let group = Array(dates[start..<min(start + Publisher.settlingAtATime, dates.count)])
            var comparison = SharedComparison(
                of: plan.partitions, settings: settings, resources: resources, folder: nil)
            let corrections = try comparison.corrections(of: Set(group))
            let settled = try resources.workers.map(group.count) {
                [partitions, settings, resources, locked] number in
                try resources.check()
                let date = group[number]
                guard let index = partitions.index(of: date) else {
                    throw Fault.disorder(locked.folder.partitionPath(date))
                }
                let partition = try partitions.partition(index)
                let final = try partition.contribution(
                    settings: settings, correction: corrections[date], isStopped: resources.isStopped)
                return (index, try partition.settle(final, in: locked), final.names.sources)
            }
            for (index, summary, sources) in settled {
                partitions.settle(index, as: summary)
                record.dates[summary.logDate]?.settled = summary.settled
                record.fix(settings, sources: sources)
            }
            try record.write(in: locked)
        }
    }

    /// Erases what nothing needs any more, now that push.db shows the figures of the settled log dates.
    private func closingResult(of plan: PublishPlan, partitions: PartitionSet) -> ClosingResult {
        var result = plan.record.map { ClosingResult($0, since: plan.formerRecord) } ?? ClosingResult()
        result.settled = plan.settling
        result.hindrance = plan.hindrance
        do {
            try plan.erasure.run(partitions, in: locked)
            result.erased = (plan.erasure.rewritten + plan.erasure.givenUp).sorted()
        } catch {
            result.failure = Message(of: error)
        }
        return result
    }

    // MARK: push.db

    private func write(
        _ plan: PublishPlan, partitions: PartitionSet, publication: inout Publication
    ) throws {
        let former = LeftFile(in: folder)
        let writing = PushWriting(output: output, locked: locked, push: plan.push)
        let copy = try writing.run(keepsDeliveries: settings.deliveries == nil) { database in
            try Figures(of: partitions, settings: settings, resources: resources)
                .write(plan.change, sharedFolder: folder.ownCachePath, to: database)
            let tables = PublishedTables(database: database)
            try database.add(request.loads, versions: partitions.versions)
            try tables.write(partitions, settings: settings)
            try tables.write(plan.held)
            try tables.checkSums(path: output.path)
            try ChangeHistory(database: database).add(isAnew: plan.push.isAnew, logDates: plan.changed)
            publication.understated = try tables.understated()
            let conclusion = try request.conclude(
                UncommittedOutput(isChanged: publication.isChanged, hasDamage: !publication.damaged.isEmpty) {
                    try CheckFinding($0, asking: $1, in: database, isStopped: output.isStopped)
                })
            if let findings = conclusion.findings { try CheckFinding.keep(findings, in: database) }
            if let run = conclusion.run { try database.add(run) }
        }
        // If it is not known how push.db was left, nobody is told that it was changed.
        let isTold = former?.push != nil && former?.isBeingWritten == false
        publication.repair = plan.push.message(at: output.path, isTold: isTold, copy: copy)
    }
}

/// What to look at again after a publishing has failed because it relied on a wrong state.
private struct SecondLook {
    let output: OutputDatabase
    /// The state of the file at the place of push.db; nil if it was not looked at again.
    private(set) var push: PushFile?
    /// Whether partitions that are known by their stamps need not be read again.
    private(set) var trustsStamps = true

    init(output: OutputDatabase) {
        self.output = output
    }

    /// - Parameter tried: the state of push.db that the failed attempt assumed.
    /// - Throws: `error` if another attempt would not help.
    mutating func look(after error: any Error, tried: PushFile) throws {
        // Something is wrong with the tables, so the next command must not rely on them.
        if ExitStatus(of: error) == .internalFault { output.suspect() }
        guard let fault = error as? OutputError, fault.isDamage || fault.kind == .replaced else { throw error }
        switch fault.file {
        case .push:
            if push == nil {
                push = try PushFile(lookingAt: output)
            } else if let damage = fault.damage, tried.isInPlace {
                push = .malformed(damage)
            } else {
                output.suspect()
                throw error
            }
        case .partition where trustsStamps: trustsStamps = false
        default: throw error
        }
    }
}

extension OutputDatabase {
    /// Whether a publishing would change nothing, as far as this can be known without reading partitions: push.db is as
    /// the last command left it, and shows all partitions with these settings. Also true if there is neither push.db
    /// nor a partition.
    ///
    /// - Parameter closing: as of `PublishRequest`.
    package func isCurrent(_ settings: PublicationSettings, closing: Closing? = nil) throws -> Bool {
        let known = KnownPartitions(in: folder)
        guard try folder.logDates().allSatisfy({ known.content(of: $0, in: folder)?.isSound == true }) else {
            return false
        }
        guard isAsLeft || FileStamp(path: path) == nil else { return false }
        let plan = try PublishPlan(for: PublishRequest(settings: settings, closing: closing), output: self)
        // A damaged or missing partition of a closed log date is reported by each command until it is repaired.
        return !plan.hasWork && !plan.partitions.damaged.contains(where: \.isOfClosed)
    }

    /// Makes push.db show what the partitions say, even if it was changed or damaged since the last command.
    /// - Throws: `Stopped`, and errors other than damage of a single partition.
    package func publish(_ request: PublishRequest, in locked: LockedOutput) throws -> Publication {
        try Publisher(output: self, locked: locked, request: request).publish()
    }

    /// What a publishing would close, settle and erase once some log dates are loaded. Writes nothing.
    package func forecast(
        of closing: Closing, after loads: [LogDate], settings: PublicationSettings
    ) throws -> ClosingResult {
        let before = try ClosedDates(in: folder)
        let loaded = Set(try folder.logDates() + loads)
        let entries = loaded.sorted().map { (date: $0, entry: ClosedDates.Entry(version: "", pipeline: "")) }
        guard var record = closing.record(after: before, loaded: entries, settings: settings) else {
            return ClosingResult()
        }
        var result = ClosingResult(record, since: before)
        let ids = try StoredIDs(in: folder)
        let withIDs = Set(ids.logDates + loads).intersection(loaded)
        result.settled = record.due(readable: withIDs).dates
        for date in result.settled { record.dates[date]?.settled = "" }
        result.erased = withIDs.filter(record.isErasable).sorted()
        return result
    }

    /// Adds a command to the history, but only if push.db is as the last command left it. Any other push.db gets no
    /// row, since it will be made anew.
    package func add(_ run: RunRecord, in locked: LockedOutput) throws {
        guard isLeft else { return }
        let writing = PushWriting(output: self, locked: locked, push: .left)
        try writing.run(keepsDeliveries: true) { try $0.add(run) }
    }
}
