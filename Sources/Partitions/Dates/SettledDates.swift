import Counting
import Posix

/// The settled log dates of an output: each settled file is the one that the record names, and was found whole.
///
/// What is known of unchanged files is kept in `partitions/.kept/settled`, so that they need not be opened. It is a cache:
/// without it they are read again.
package struct SettledDates: Sendable {
    package struct Known: Codable, Equatable, Sendable {
        /// The stamp of the file when it was found whole; nil where a later change might not show.
        package let stamp: FileStamp?
        /// As the record has it.
        package let identity: String
        package let summary: PartitionSummary
    }

    package static let none = SettledDates(dates: [:])

    package private(set) var dates: [Int32: Known]

    private init(dates: [Int32: Known]) {
        self.dates = dates
    }

    /// - Parameters:
    ///   - held: keeps what is found; nil to write nothing.
    ///   - trustsStamps: whether files that have not changed since they were found whole are not read again.
    /// - Throws: `.retention` if a settled file is missing, damaged, or another one; `.newerSchema`.
    package init(
        _ closed: ClosedDates?, in folder: OutputFolder, _ held: HeldOutput?, _ resources: PublishingResources,
        trustsStamps: Bool
    ) throws(WarehouseError) {
        self.init(dates: [:])
        guard let closed, closed.hasSettled else { return }
        let cached: [Int32: Known] = trustsStamps ? folder.cachedValue(ClosedDates.settledName) ?? [:] : [:]
        let settled = closed.dates.filter { $0.value.settled != nil }.sorted { $0.key < $1.key }
        let known = try resources.workers.map(settled.count) { index throws(WarehouseError) -> Known in
            let (logDate, entry) = settled[index]
            if let known = cached[logDate], let stamp = known.stamp, known.identity == entry.settled,
                stamp == FileStamp(path: folder.settledPath(logDate))
            {
                return known
            }
            return try SettledDates.read(logDate, entry.settled ?? "", in: folder, isNew: false, resources.isStopped)
        }
        dates = Dictionary(uniqueKeysWithValues: zip(settled.map(\.key), known))
        if let held, dates != cached { keep(in: held) }
    }

    package mutating func add(_ known: Known, on logDate: Int32) { dates[logDate] = known }

    /// Keeps what is known for the next command.
    package func keep(in held: HeldOutput) { held.cacheValue(dates, as: ClosedDates.settledName) }

    /// All figures of a settled log date. They are read, never computed.
    package func part(of logDate: Int32, in folder: OutputFolder) throws(WarehouseError) -> FigurePart {
        guard let known = dates[logDate] else { throw .disorder(path: folder.settledPath(logDate)) }
        let file = try SettledFile.open(logDate, known.identity, in: folder)
        return try SettledFile.reporting(logDate, file.path) { () throws(WarehouseError) in
            let names = try file.names()
            return FigurePart(logDate: logDate, names: names, tables: try file.standaloneTables(names))
        }
    }

    /// Reads a settled file whole.
    /// - Parameter isNew: whether it has just been written.
    package static func read(
        _ logDate: Int32, _ identity: String, in folder: OutputFolder, isNew: Bool, _ isStopped: () -> Bool
    ) throws(WarehouseError) -> Known {
        let file = try SettledFile.open(logDate, identity, in: folder)
        return try SettledFile.reporting(logDate, file.path) { () throws(WarehouseError) in
            try file.verify(isStopped)
            // The stamp of a new file takes a while to tell of later changes. The next command reads the file once more.
            return Known(
                stamp: isNew ? nil : file.steadyStamp, identity: identity, summary: file.summary)
        }
    }
}

/// What a log date contributes once it is settled. See the head of `PartitionSchema`.
package enum SettledFile {
    /// Opens the settled file of a log date, which must be the one that the record names.
    ///
    /// - Parameter identity: as the record has it.
    /// - Throws: `.retention` if it cannot be used; `.newerSchema`.
    package static func open(
        _ logDate: Int32, _ identity: String?, in folder: OutputFolder
    ) throws(WarehouseError) -> Partition {
        let path = folder.settledPath(logDate)
        return try reporting(logDate, path) { () throws(WarehouseError) in
            let file = try Partition(settled: path)
            guard try file.identity() == identity, file.summary.logDate == logDate else {
                throw .retention(.unknownFile(path: path, logDate: logDate))
            }
            return file
        }
    }

    /// Runs `body`, which reads a settled file, and converts its errors.
    static func reporting<Result>(
        _ logDate: Int32, _ path: String, _ body: () throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> Result {
        do {
            return try body()
        } catch {
            if case .missing = error {
                throw .retention(.settledFile(path: path, logDate: logDate, detail: "is missing"))
            }
            guard error.isDamage else { throw error }
            throw .retention(.settledFile(path: path, logDate: logDate, detail: error.damageClause))
        }
    }
}
