import Calendar
import Foundation
import Partitions

/// What a publishing will do. It is made by reading alone.
struct PublishPlan {
    /// What is in the place of push.db, and thus whether its tables are made anew.
    let push: PushFile
    /// All that counts, and what cannot be read.
    let partitions: PartitionSet
    /// The record of closed log dates as it was, and as it will be before any log date settles; nil without one.
    let formerRecord: ClosedDates?
    let record: ClosedDates?
    /// The log dates that settle, and the one that keeps others from it.
    let settling: [LogDate]
    let hindrance: LogDate?
    /// What is erased once they have.
    let erasure: Erasure
    /// What of the figures is to be changed.
    let change: Figures.Change
    /// The rows of `held`.
    let held: [HeldRecord]
    /// The log dates that were published until now and are not any more, although they are not closed.
    let vanished: [LogDate]
    /// The partitions that are shown, also by a push.db that others have changed, as far as it can tell.
    private let shownVersions: [LogDate: String]
    /// Whether something of push.db is to be written beside the history.
    private let writesFigures: Bool
    /// Whether it is to be written.
    let writesPush: Bool

    /// Whether a figure, or what is said about one, may change.
    var hasWork: Bool { writesFigures || record != formerRecord || !settling.isEmpty || !erasure.isEmpty }

    /// The log dates whose partitions are others than those that are shown.
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
            // If push.db cannot tell either, nobody knows the files.
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
        // Unasked, only what has settled before settles again.
        let settling = due?.dates.filter { request.closing != nil || partitions.unsettledCopies.contains($0) } ?? []
        self.settling = settling
        hindrance = request.closing == nil ? nil : due?.hindrance
        for date in partitions.unsettledCopies where !settling.contains(date) {
            throw WarehouseError(
                .lostSettled("is an older copy, without its final figures, and cannot settle again"),
                at: folder.partitionPath(date))
        }
        var settled = record
        for date in settling { settled?.dates[date]?.settled = "" }
        // Nothing is erased unasked.
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
        // Without one, nobody has a history.
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
    /// By log date.
    var versions: [LogDate: String] {
        Dictionary(uniqueKeysWithValues: summaries.map { ($0.logDate, $0.version) })
    }
}

extension ClosedDates {
    /// Takes over the versions of partitions that a command has loaded just now: those of closed log dates were damaged, and are
    /// made of the same files as before.
    fileprivate mutating func accept(_ loaded: Set<LogDate>, in folder: OutputFolder) {
        for date in loaded where dates[date] != nil {
            // If it cannot be read, it is found to be damaged like any other.
            guard let partition = try? Partition(of: date, in: folder) else { continue }
            dates[date]?.version = partition.summary.version
        }
    }
}
