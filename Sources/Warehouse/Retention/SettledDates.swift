import Calendar
import Counting
import Hashing
import Posix

/// The settled log dates of an output: each settled file is the one that the record names, and was found whole.
///
/// What is known of unchanged files is kept in `partitions/.kept/settled`, so that they need not be opened. It is a cache:
/// without it they are read again.
struct SettledDates: Sendable {
    struct Known: Codable, Equatable, Sendable {
        /// The stamp of the file when it was found whole; nil where a later change might not show.
        let stamp: FileStamp?
        /// As the record has it.
        let identity: String
        let summary: PartitionSummary
        /// The digests of its figures, by day.
        let days: [Int32: DayDigest]
    }

    private static let name = "settled"
    static let none = SettledDates(dates: [:])

    private(set) var dates: [Int32: Known]

    private init(dates: [Int32: Known]) {
        self.dates = dates
    }

    /// - Throws: `.retention` if a settled file is missing, damaged, or another one; `.newerSchema`.
    init(
        _ closed: ClosedDates?, in folder: OutputFolder, _ resources: PublishingResources, trustsStamps: Bool
    ) throws(WarehouseError) {
        self.init(dates: [:])
        guard let closed, closed.hasSettled else { return }
        let cached: [Int32: Known] = trustsStamps ? folder.cachedValue(SettledDates.name) ?? [:] : [:]
        let settled = closed.dates.filter { $0.value.settled != nil }.sorted { $0.key < $1.key }
        let known = try resources.workers.map(settled.count) { index throws(WarehouseError) -> Known in
            let (logDate, entry) = settled[index]
            if let known = cached[logDate], let stamp = known.stamp, known.identity == entry.settled,
                stamp == FileStamp(path: folder.settledPath(logDate))
            {
                return known
            }
            return try SettledDates.read(
                logDate, entry.settled ?? "", in: folder, isNew: false, resources.isStopped)
        }
        dates = Dictionary(uniqueKeysWithValues: zip(settled.map(\.key), known))
        if dates != cached { keep(in: folder) }
    }

    mutating func add(_ known: Known, on logDate: Int32) { dates[logDate] = known }

    /// Keeps what is known for the next command.
    func keep(in folder: OutputFolder) { folder.cacheValue(dates, as: SettledDates.name) }

    /// Writes the settled file of a log date, durably, and reads it again.
    ///
    /// - Parameter part: all its figures, those that push.db shows.
    static func write(
        _ part: FigurePart, of partitions: PartitionSet, in folder: OutputFolder
    ) throws(WarehouseError) -> Known {
        guard let index = partitions.summaries.firstIndex(where: { $0.logDate == part.logDate }) else {
            throw .disorder(path: folder.settledPath(part.logDate))
        }
        let partition = try partitions.partition(index)
        let writer = try PartitionWriter(settling: part.logDate, in: folder)
        try writer.write(part.names)
        writer.write(part.tables)
        try writer.write(try folder.eventSums(of: partition, part.names))
        for file in try partition.files() { try writer.write(file) }
        for outcome in try partition.outcomes() { try writer.write(outcome) }
        writer.conclude(partition.summary)
        try writer.install()
        let identity = try Partition(settled: folder.settledPath(part.logDate)).identity()
        return try read(part.logDate, identity, in: folder, isNew: true) { false }
    }

    /// Opens a settled file.
    static func file(_ logDate: Int32, _ identity: String, in folder: OutputFolder) throws(WarehouseError) -> Partition
    {
        let path = folder.settledPath(logDate)
        do throws(WarehouseError) {
            let file = try Partition(settled: path)
            guard try file.identity() == identity, file.summary.logDate == logDate else {
                throw .corrupt(path: path, detail: "it is not the one that was written")
            }
            return file
        } catch {
            throw settledFault(error, path, logDate)
        }
    }

    private static func read(
        _ logDate: Int32, _ identity: String, in folder: OutputFolder, isNew: Bool, _ isStopped: () -> Bool
    ) throws(WarehouseError) -> Known {
        let file = try file(logDate, identity, in: folder)
        do throws(WarehouseError) {
            try file.verify(isStopped)
            let names = try file.names()
            let tables = try file.standaloneTables(NameCounts(names))
            return Known(
                // That of a new file takes a while to tell of later changes. The next command reads the file once more.
                stamp: isNew ? nil : file.settledStamp, identity: identity, summary: file.summary,
                days: [Int32: DayDigest](tables, names, logDate: logDate))
        } catch {
            throw settledFault(error, file.path, logDate)
        }
    }

    private static func settledFault(_ error: WarehouseError, _ path: String, _ logDate: Int32) -> WarehouseError {
        switch error {
        case .missing: .retention(.settledFile(path: path, logDate: logDate, detail: "is missing"))
        case _ where error.isDamage:
            .retention(.settledFile(path: path, logDate: logDate, detail: RetentionFault.damage(error)))
        default: error
        }
    }
}
