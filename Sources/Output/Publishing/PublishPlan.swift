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
    /// What push.db shows before.
    private let shown: ShownOutput
    /// Whether something of push.db is to be written beside the history.
    private let writesFigures: Bool
    /// Whether push.db must be written at all.
    let writesPush: Bool

    /// Whether figures, or facts about them, may change.
    var hasWork: Bool { writesFigures || record != formerRecord || !settling.isEmpty || !erasure.isEmpty }

    /// The log dates with another partition than the published one.
    var changed: [LogDate] {
        partitions.summaries.filter { shown.versions[$0.logDate] != $0.version }.map(\.logDate)
    }

    /// - Parameters:
    ///   - push: what a second look at push.db has found; nil for a first one.
    ///   - trustsStamps: whether partitions that are known by their stamps are not read again.
    init(
        for request: PublishRequest, output: OutputDatabase, push: PushFile? = nil, trustsStamps: Bool = true
    ) throws {
        let (folder, settings) = (output.folder, request.settings)
        let push = try push ?? PushFile(output)
        var record = try ClosedDates(in: folder)
        formerRecord = record
        record?.accept(request.resources.justLoaded, in: folder)
        let partitions = try PublishPlan.partitions(
            of: output, record: record, resources: request.resources, trustsStamps: trustsStamps)
        let damaged = Set(partitions.damaged.compactMap(\.file.logDate))
        let shown = try ShownOutput(of: output, push: push)
        let published = Set(shown.versions.keys)
        if let closing = request.closing {
            record = closing.record(
                after: record, loaded: partitions.summaries.map { ($0.logDate, ClosedDates.Entry($0)) },
                damaged: damaged,
                published: published, justLoaded: request.resources.justLoaded, settings: settings)
        }
        let (settling, hindrance) = try partitions.settling(by: record, isClosing: request.closing != nil)
        var settled = record
        for date in settling { settled?.dates[date]?.settled = "" }
        // Without a request to close, nothing is erased.
        erasure = try Erasure(partitions, record: request.closing == nil ? nil : settled, today: request.closing?.today)
        let others = damaged.union(partitions.dates)
        vanished = published.filter { [record] in !others.contains($0) && record?.holds($0) != true }.sorted()
        let versions = partitions.versions
        let held = try HeldRecord.all(in: folder, versions: versions, closed: record)
        change = shown.change(to: versions, settings: settings, isAnew: push.isAnew)
        // Without a push.db, partitions and held-back loads there is nothing to write, not even the history.
        let isNothing = push == .missing && others.isEmpty && held.isEmpty
        writesFigures =
            !isNothing
            && (push.isAnew || !settling.isEmpty || shown.isOther(than: partitions, held: held, settings: settings))
        writesPush = writesFigures || !isNothing && !request.loads.isEmpty
        self.push = push
        self.partitions = partitions
        self.record = record
        self.settling = settling
        self.hindrance = hindrance
        self.held = held
        self.shown = shown
    }

    /// - Throws: also if the partition of a settled log date cannot be used.
    private static func partitions(
        of output: OutputDatabase, record: ClosedDates?, resources: PublishingResources, trustsStamps: Bool
    ) throws -> PartitionSet {
        let known = KnownPartitions(in: output.folder)
        let partitions = try PartitionSet(
            in: output.folder, record: record, known: trustsStamps ? known : KnownPartitions(), resources: resources
        ) { output.files(ofDamaged: $0, known: known) }
        if let fault = partitions.faults.first { throw fault }
        return partitions
    }
}

/// What push.db shows.
private struct ShownOutput {
    /// The versions of the published partitions, as far as push.db can tell, even if another program has changed it. If
    /// it cannot tell, all partitions count as new in `changes`.
    private(set) var versions: [LogDate: String] = [:]
    // The rest is only read from a push.db as it was left. Any other is made anew.
    private var dates: [LogDate: OwnTables.ShownDate] = [:]
    private var facts: [String: String] = [:]
    /// The rows of `held`.
    private var held: [[String]] = []

    init(of output: OutputDatabase, push: PushFile) throws {
        guard push == .left else {
            do {
                versions = try output.publishedVersions()
            } catch let error as OutputError where error.isDamage {}
            return
        }
        try output.read { database in
            dates = try OwnTables.shownDates(in: database)
            facts = try OwnTables.facts(in: database)
            held = try HeldRecord.rows(in: database)
        }
        versions = dates.mapValues(\.version)
    }

    /// The changes that the figures need for these versions of the partitions.
    func change(to versions: [LogDate: String], settings: PublicationSettings, isAnew: Bool) -> Figures.Change {
        Figures.Change(
            shown: dates, replaced: dates.filter { versions[$0.key] != $0.value.version }.keys.sorted(),
            gone: dates.keys.filter { versions[$0] == nil }.sorted(),
            isNewSetting: facts["settings"] != settings.version, isAnew: isAnew)
    }

    func isOther(than partitions: PartitionSet, held: [HeldRecord], settings: PublicationSettings) -> Bool {
        self.held != held.map(\.texts) || dates.count != partitions.count
            || partitions.summaries.contains { dates[$0.logDate]?.shows($0) != true }
            || !settings.facts.allSatisfy { $0.key == "version" || facts[$0.key] == $0.value }
            || DeliveryWriting(settings: settings).isNew(facts)
    }
}

extension PartitionSet {
    /// The versions of the partitions, by log date.
    var versions: [LogDate: String] {
        Dictionary(uniqueKeysWithValues: summaries.map { ($0.logDate, $0.version) })
    }

    /// The log dates that settle now, and the first one that prevents others from settling.
    /// - Throws: `.lostSettled` for a settled log date without its final rows that cannot settle again.
    fileprivate func settling(by record: ClosedDates?, isClosing: Bool) throws -> ([LogDate], hindrance: LogDate?) {
        let due = record?.due(readable: Set(summaries.filter(\.hasIDs).map(\.logDate)), anew: unsettledCopies)
        // Without a request to close, only log dates that had settled before settle again.
        let settling = due?.dates.filter { isClosing || unsettledCopies.contains($0) } ?? []
        for date in unsettledCopies where !settling.contains(date) {
            throw OutputError.olderCopy(at: folder.partitionPath(date))
        }
        return (settling, isClosing ? due?.hindrance : nil)
    }
}

extension ClosedDates {
    /// Takes over the versions of partitions of closed log dates that this command has just loaded. They replace
    /// damaged partitions, and were made from the same files.
    fileprivate mutating func accept(_ loaded: Set<LogDate>, in folder: OutputFolder) {
        for date in loaded where dates[date] != nil {
            // If the partition cannot be read, the next step reports it as damaged.
            guard let partition = try? Partition(of: date, in: folder) else { continue }
            dates[date] = ClosedDates.Entry(partition.summary)
        }
    }
}
