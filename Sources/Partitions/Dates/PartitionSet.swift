import Foundation

/// The log dates of one publishing, sorted: the partition of each, or its settled file. Their files remain open, up to a limit.
package struct PartitionSet: Sendable {
    /// Far below the usual limit of 1,024 open files per process.
    private static let openLimit = 200

    private struct File: Sendable {
        let path: String
        let isSettled: Bool
        let open: Partition?
    }

    private typealias Opened = Result<(File, PartitionSummary), WarehouseError>

    package let folder: OutputFolder
    private var files: [File] = []
    package private(set) var summaries: [PartitionSummary] = []
    /// The indices of partitions that serve only the figures of others: their log dates are settled.
    package private(set) var onlyForIDs: Set<Int> = []

    private init(_ folder: OutputFolder) {
        self.folder = folder
    }

    /// No log dates.
    package var none: PartitionSet { PartitionSet(folder) }

    /// Opens the partitions of a folder, except the paths in `without`. Damaged partitions are left out and returned as
    /// errors, and so are those of closed log dates that are not the ones that were closed.
    ///
    /// - Parameters:
    ///   - settled: the log dates whose settled files take the place of their partitions.
    ///   - workers: open several files at a time.
    /// - Throws: if a partition is of a newer version, or cannot be read for another reason than damage.
    package static func open(
        _ folder: OutputFolder, _ closed: ClosedDates? = nil, _ settled: SettledDates = .none,
        without: Set<String> = [], workers: any Workers = SerialWorkers()
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        let known = closed?.dates.keys.filter { closed?.holds($0) ?? false } ?? []
        let logDates = Set(try folder.partitionDates()).union(settled.dates.keys).union(known).sorted()
        let found = try workers.map(logDates.count) { number throws(WarehouseError) -> Opened? in
            let logDate = logDates[number]
            if let known = settled.dates[logDate] {
                return .success((File(path: folder.settledPath(logDate), isSettled: true, open: nil), known.summary))
            }
            let path = folder.partitionPath(logDate)
            guard !without.contains(path), closed?.forgotten.contains(logDate) != true else { return nil }
            do throws(WarehouseError) {
                let partition = try Partition(logDate: logDate, folder: folder)
                try closed?.check(partition)
                // A night needs the last ones again.
                let staysOpen = logDates.count - number <= PartitionSet.openLimit
                return .success(
                    (File(path: path, isSettled: false, open: staysOpen ? partition : nil), partition.summary))
            } catch {
                if case .missing = error {
                    guard closed?.dates[logDate] != nil else { return nil }
                    return .failure(.retention(.partition(path: path, logDate: logDate, detail: "is gone")))
                }
                guard error.isDamage else { throw error }
                return .failure(error)
            }
        }
        var set = PartitionSet(folder)
        var damaged: [WarehouseError] = []
        for opened in found.compactMap(\.self) {
            switch opened {
            case .success((let file, let summary)): set.append(file, summary)
            case .failure(let error): damaged.append(error)
            }
        }
        assert(zip(set.summaries, set.summaries.dropFirst()).allSatisfy { $0.logDate < $1.logDate })
        return (set, damaged)
    }

    private mutating func append(_ file: File, _ summary: PartitionSummary) {
        files.append(file)
        summaries.append(summary)
    }

    /// The partitions that the figures of log dates that are not settled follow from: their own, and those within reach.
    ///
    /// - Parameter faulty: partitions that turned out to be damaged, by path.
    /// - Throws: `.retention` if the partition of a settled log date is needed and is not the one that settled.
    package func withIDs(
        _ closed: ClosedDates?, windowDays: Int, _ faulty: [String: WarehouseError]
    ) throws(WarehouseError) -> PartitionSet {
        guard let closed, files.contains(where: \.isSettled) else { return self }
        let unsettled = summaries.indices.filter { !files[$0].isSettled }.map { summaries[$0].logDate }
        var set = PartitionSet(folder)
        for (index, summary) in summaries.enumerated() {
            guard files[index].isSettled else {
                set.append(files[index], summary)
                continue
            }
            guard unsettled.contains(where: { abs(Int($0) - Int(summary.logDate)) <= windowDays }) else { continue }
            set.onlyForIDs.insert(set.count)
            let fault = faulty[folder.partitionPath(summary.logDate)]
            let partition = try closed.partition(of: summary.logDate, in: folder, fault: fault)
            set.append(File(path: partition.path, isSettled: false, open: partition), partition.summary)
        }
        return set
    }

    /// Replaces partitions by the settled files that were made of them.
    package mutating func settle(_ settled: SettledDates) {
        for (index, summary) in summaries.enumerated() where settled.dates[summary.logDate] != nil {
            files[index] = File(path: folder.settledPath(summary.logDate), isSettled: true, open: nil)
        }
    }

    package var count: Int { files.count }

    package func path(_ index: Int) -> String { files[index].path }

    package func isSettled(_ index: Int) -> Bool { files[index].isSettled }

    /// A partition or a settled file, opened again if needed.
    /// - Throws: `.replaced` if the file is not the one that was opened first.
    package func partition(_ index: Int) throws(WarehouseError) -> Partition {
        let file = files[index]
        if let partition = file.open { return partition }
        let partition = try file.isSettled ? Partition(settled: file.path) : Partition(path: file.path)
        guard partition.summary == summaries[index] else { throw .replaced(path: file.path) }
        return partition
    }
}

// The partitions of closed log dates: those with which they were closed, and no others. One that a backup or another output has
// put in the place of such a partition would change figures that others have settled by.

extension ClosedDates {
    /// - Throws: `.retention` if a partition is another one.
    package func check(_ partition: Partition) throws(WarehouseError) {
        let logDate = partition.summary.logDate
        guard holds(logDate), dates[logDate]?.version != partition.summary.version else { return }
        let detail =
            dates[logDate] == nil
            ? "was put there after its log date was closed" : "is not the one with which its log date was closed"
        throw .retention(.partition(path: partition.path, logDate: logDate, detail: detail))
    }

    /// The partition of a closed log date, whose ids others need.
    ///
    /// - Parameter fault: why it cannot be used, as far as that is known already.
    /// - Throws: `.retention` if it cannot be used.
    package func partition(
        of logDate: Int32, in folder: OutputFolder, fault: WarehouseError? = nil
    ) throws(WarehouseError) -> Partition {
        let path = folder.partitionPath(logDate)
        do throws(WarehouseError) {
            if let fault { throw fault }
            let partition = try Partition(logDate: logDate, folder: folder)
            try check(partition)
            return partition
        } catch {
            if case .missing = error { throw .retention(.ids(path: path, logDate: logDate, detail: "is gone")) }
            guard error.isDamage else { throw error }
            throw .retention(.ids(path: path, logDate: logDate, detail: error.damageClause))
        }
    }
}
