import Calendar
import Foundation
import Partitions

/// What a publishing will do. Making the plan writes nothing.
struct PublishPlan {
    /// The state of the file at the place of push.db.
    let push: PushFile
    /// The partitions that count, and the errors of the others.
    let partitions: PartitionSet
    /// The record of closed log dates as it was, and as it will be before any log date settles; nil without one.
    let formerRecord: ClosedDates?
    let record: ClosedDates?
    /// The log dates that will settle, and the first log date that prevents others from settling.
    let settling: [LogDate]
    let hindrance: LogDate?
    /// What will be erased after these have settled.
    let erasure: Erasure
    /// The changes that the figures need.
    let change: Figures.Change
    /// The rows of `held`.
    let held: [HeldRecord]
    /// Log dates that were published and have no partition any more, although they are not closed.
    let vanished: [LogDate]
    /// The versions of the published partitions, as far as push.db can tell, even if another program has changed it.
    private let shownVersions: [LogDate: String]
    /// Whether something of push.db is to be written beside the history.
    private let writesFigures: Bool
    /// Whether push.db must be written at all.
    let writesPush: Bool

    /// Whether figures, or facts about them, may change.
    var hasWork: Bool { writesFigures || record != formerRecord || !settling.isEmpty || !erasure.isEmpty }

    /// The log dates with another partition than the published one.
    var changed: [LogDate] {
        partitions.summaries.filter { shownVersions[$0.logDate] != $0.version }.map(\.logDate)
    }

    /// - Parameters:
    ///   - push: what a second look at push.db has found; nil for a first one.
    ///   - trustsStamps: whether partitions that are known by their stamps are not read again.
    init(
        for request: PublishRequest, output: OutputDatabase, push: PushFile? = nil, trustsStamps: Bool = true
    ) throws {
        let (folder, settings) = (output.folder, request.settings)
        if let push { self.push = push } else { self.push = try PushFile(output) }
        var record = try ClosedDates(in: folder)
        formerRecord = record
        record?.accept(request.resources.justLoaded, in: folder)
        let known = KnownPartitions(in: folder)
        let partitions = try PartitionSet(
            in: folder, record: record, known: trustsStamps ? known : KnownPartitions(), resources: request.resources
        ) { date in
            // If push.db cannot tell either, the files stay unknown.
            known.files(ofDamaged: date) ?? ((try? output.files(of: date)) ?? []).map { FormerFile($0) }
        }
        if let fault = partitions.faults.first { throw fault }
        self.partitions = partitions
        let damaged = Set(partitions.damaged.compactMap(\.file.logDate))
        let published = try output.publishedLogDates() ?? []
        if let closing = request.closing {
            record = closing.record(
                after: record, loaded: partitions.summaries.map { ($0.logDate, $0.version) }, damaged: damaged,
                published: published, justLoaded: request.resources.justLoaded, settings: settings)
        }
        self.record = record
        let withEvents = Set(partitions.summaries.filter(\.hasIDs).map(\.logDate))
        let due = record?.due(readable: withEvents, anew: partitions.unsettledCopies)
        // Without a request to close, only log dates that had settled before settle again.
        let settling = due?.dates.filter { request.closing != nil || partitions.unsettledCopies.contains($0) } ?? []
        self.settling = settling
        hindrance = request.closing == nil ? nil : due?.hindrance
        for date in partitions.unsettledCopies where !settling.contains(date) {
            throw WarehouseError.olderCopy(at: folder.partitionPath(date))
        }
        var settled = record
        for date in settling { settled?.dates[date]?.settled = "" }
        // Without a request to close, nothing is erased.
        erasure = try Erasure(partitions, record: request.closing == nil ? nil : settled, today: request.closing?.today)
        let others = damaged.union(partitions.dates)
        vanished = published.filter { [record] in !others.contains($0) && record?.holds($0) != true }.sorted()
        let versions = partitions.versions
        held = try HeldRecord.all(in: folder, versions: versions, closed: record)
        let read =
            try self.push == .left
            ? output.read { database in
                (
                    try OwnTables.shownDates(in: database), try OwnTables.facts(in: database),
                    try HeldRecord.rows(in: database)
                )
            } : nil
        let (shown, facts, shownHeld) = read ?? ([:], [:], [])
        // If it cannot tell, all partitions count as new in `changes`.
        shownVersions = (try? output.publishedVersions()) ?? [:]
        let isNewSetting = facts["settings"] != settings.version
        change = Figures.Change(
            shown: shown, replaced: shown.filter { versions[$0.key] != $0.value.version }.keys.sorted(),
            gone: shown.keys.filter { versions[$0] == nil }.sorted(), isNewSetting: isNewSetting,
            isAnew: self.push.isAnew)
        // Without a push.db, partitions and held-back loads there is nothing to write, not even the history.
        let isNothing = self.push == .missing && others.isEmpty && held.isEmpty
        writesFigures =
            !isNothing
            && (change.isAnew || !settling.isEmpty || shownHeld != held.map(\.texts) || shown.count != partitions.count
                || partitions.summaries.contains { shown[$0.logDate]?.shows($0) != true }
                || !settings.facts.allSatisfy { $0.key == "version" || facts[$0.key] == $0.value }
                || DeliveryWriting(settings: settings).isNew(facts))
        writesPush = writesFigures || !isNothing && !request.loads.isEmpty
    }
}

extension PartitionSet {
    /// The versions of the partitions, by log date.
    var versions: [LogDate: String] {
        Dictionary(uniqueKeysWithValues: summaries.map { ($0.logDate, $0.version) })
    }
}

extension ClosedDates {
    /// Takes over the versions of partitions of closed log dates that this command has just loaded. They replace
    /// damaged partitions, and were made from the same files.
    fileprivate mutating func accept(_ loaded: Set<LogDate>, in folder: OutputFolder) {
        for date in loaded where dates[date] != nil {
            // If the partition cannot be read, the next step reports it as damaged.
            guard let partition = try? Partition(of: date, in: folder) else { continue }
            dates[date]?.version = partition.summary.version
        }
    }
}
