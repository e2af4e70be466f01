import Calendar
import Events
import Partitions
import Posix

/// The old log dates of an output while it publishes: closes them, settles them, and erases ids that nothing needs any more, in
/// this order. Each step is on the disk before the next one relies on it, so that a command that is killed between two leaves
/// what the next one goes on with.
struct OldLogDates {
    private let folder: OutputFolder
    private let resources: PublishingResources
    /// Nil if the output has none.
    private(set) var closed: ClosedDates?
    private(set) var settled: SettledDates
    /// Nil unless the publishing is to close log dates.
    private(set) var result: ClosingResult?
    private var today: Int32?

    /// Takes up what earlier commands have left.
    ///
    /// - Parameters:
    ///   - held: the same output, in which what is left is put right; nil to write nothing.
    ///   - trustsStamps: whether settled files that have not changed since they were found whole are not read again.
    /// - Throws: `.retention` if that cannot be used.
    init(
        in folder: OutputFolder, _ held: HeldOutput?, _ resources: PublishingResources, trustsStamps: Bool = true
    ) throws(WarehouseError) {
        assert(held.map { $0.folder == folder } ?? true)
        self.folder = folder
        self.resources = resources
        closed = try ClosedDates(in: folder)
        if let held { try closed?.accept(resources.justLoaded, in: held) }
        settled = try SettledDates(closed, in: folder, held, resources, trustsStamps: trustsStamps)
        try removeUnrecorded(mayRemove: held != nil)
    }

    /// A settled file that the record does not name was written by a command that was killed before it could note it, or comes
    /// from elsewhere. Where the partition is there, its figures follow from that, and the file is removed.
    private func removeUnrecorded(mayRemove: Bool) throws(WarehouseError) {
        let names = try OutputFolder.names(in: folder.partitionsPath).compactMap { PartitionName($0) }
        let withIDs = Set(try folder.partitionDates())
        for logDate in names.filter(\.isSettled).map(\.logDate).sorted()
        where closed?.isSettled(logDate) != true && closed?.forgotten.contains(logDate) != true {
            let path = folder.settledPath(logDate)
            guard withIDs.contains(logDate) else { throw .retention(.unknownFile(path: path, logDate: logDate)) }
            if mayRemove { _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) } }
        }
    }

    /// Moves the last closed log date on, and notes what is loaded of the closed ones.
    ///
    /// - Parameter published: the log dates that push.db shows.
    mutating func close(
        _ closing: Closing, _ partitions: PartitionSet, damaged: [WarehouseError], published: Set<Int32>,
        _ settings: PublicationSettings, in held: HeldOutput
    ) throws(WarehouseError) {
        let before = closed
        let versions = partitions.summaries.map { (logDate: $0.logDate, version: $0.version) }
        guard var closed = closing.closed(before, loaded: versions, settings) else { return }
        let unreadable = Set(damaged.compactMap { $0.path.flatMap(PartitionName.logDate(ofPartitionAt:)) })
        let loaded = Set(versions.map(\.logDate))
        closed.skipped.formUnion(closing.skipped)
        if !closed.hasSettled { closed.fix(settings, sources: []) }
        closed.lost.formUnion(published)
        closed.lost = closed.lost.filter {
            !loaded.contains($0) && !unreadable.contains($0) && !closed.holds($0) && !closed.skipped.contains($0)
                && !closed.forgotten.contains($0)
        }
        closed.skipped = closed.skipped.filter { !closed.holds($0) && !resources.justLoaded.contains($0) }
        result = ClosingResult(closed, since: before)
        today = closing.today
        guard closed.through != nil || !closed.lost.isEmpty || !closed.skipped.isEmpty, closed != before else { return }
        try closed.write(in: held)
        self.closed = closed
    }

    /// Whether a publishing would close, settle or erase something.
    func hasWork(_ closing: Closing) throws(WarehouseError) -> Bool {
        if let through = closing.through, through > closed?.through ?? .min { return true }
        if !closing.skipped.isEmpty { return true }
        if let closed, closed.dates.contains(where: { $1.settled == nil && closed.isDue($0) }) { return true }
        return try !Erasure(folder, closed, today: closing.today).files.isEmpty
    }

    /// The log dates that are to settle: all partitions within reach are there.
    mutating func dueDates(_ partitions: PartitionSet) -> [Int32] {
        guard let closed, result != nil else { return [] }
        let due = closed.due(readable: Set(partitions.summaries.map(\.logDate)))
        result?.hindrance = due.hindrance.map { LogDate(dayNumber: Int($0)) }
        return due.logDates
    }

    /// Settles log dates, whose parts have all their figures.
    mutating func settle(
        _ parts: [FigurePart], _ partitions: PartitionSet, _ settings: PublicationSettings, in held: HeldOutput
    ) throws(WarehouseError) {
        guard var closed else { return }
        assert(parts.allSatisfy { closed.isDue($0.logDate) && !closed.isSettled($0.logDate) })
        try resources.check()
        let written = try resources.workers.map(parts.count) { [self] index throws(WarehouseError) in
            try resources.check()
            return try write(parts[index], of: partitions)
        }
        for (part, known) in zip(parts, written) {
            closed.dates[part.logDate]?.settled = known.identity
            settled.add(known, on: part.logDate)
        }
        closed.fix(settings, sources: parts.flatMap(\.names.sources))
        try closed.write(in: held)
        self.closed = closed
        settled.keep(in: held)
        result?.settled += parts.map(\.logDate).sorted().map { LogDate(dayNumber: Int($0)) }
    }

    /// Writes the settled file of a log date, durably, and reads it again.
    private func write(
        _ part: FigurePart, of partitions: PartitionSet
    ) throws(WarehouseError) -> SettledDates.Known {
        guard let index = partitions.summaries.firstIndex(where: { $0.logDate == part.logDate }) else {
            throw .disorder(path: folder.settledPath(part.logDate))
        }
        let partition = try partitions.partition(index)
        let writer = try PartitionWriter(settling: part.logDate, in: folder)
        try writer.write(part.names)
        writer.write(part.tables)
        try writer.write(part.sums)
        for file in try partition.files() { try writer.write(file) }
        for outcome in try partition.outcomes() { try writer.write(outcome) }
        writer.conclude(partition.summary)
        try writer.install()
        let identity = try Partition(settled: folder.settledPath(part.logDate)).identity()
        return try SettledDates.read(part.logDate, identity, in: folder, isNew: true) { false }
    }

    /// The most log dates whose tables are in memory at the same time.
    static let atATime = 32

    /// Erases what nothing needs any more. Only once push.db shows the figures of the settled log dates.
    mutating func erase(in held: HeldOutput) {
        guard result != nil else { return }
        do throws(WarehouseError) {
            let erasure = try Erasure(folder, closed, today: today)
            guard !erasure.files.isEmpty else { return }
            assert(
                erasure.logDates.allSatisfy { logDate in
                    closed.map { $0.isErasable(logDate) || $0.forgotten.contains(logDate) } ?? false
                })
            let withIDs = Set(try folder.partitionDates())
            try erasure.run(in: held)
            result?.erased = erasure.logDates.filter(withIDs.contains).map { LogDate(dayNumber: Int($0)) }
        } catch {
            result?.failure = error
        }
    }
}

extension ClosedDates {
    /// Takes over the versions of partitions that a command has loaded just now: those of closed log dates were damaged, and are
    /// made of the same files as before.
    fileprivate mutating func accept(_ loaded: Set<Int32>, in held: HeldOutput) throws(WarehouseError) {
        let before = self
        for logDate in loaded where dates[logDate] != nil {
            // If it cannot be read, it is found to be damaged like any other.
            guard let partition = try? Partition(logDate: logDate, folder: held.folder) else { continue }
            dates[logDate]?.version = partition.summary.version
        }
        if self != before { try write(in: held) }
    }
}
