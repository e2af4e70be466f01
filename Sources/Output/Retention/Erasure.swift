import Foundation
import Partitions
import Posix

/// What of an output holds ids that nothing needs any more, or details of such log dates' records: partitions, caches, held-back
/// loads. Settled files stay, and so does all that is not pushetl's own.
struct Erasure {
    fileprivate typealias DatedFile = (logDate: Int32, path: String)

    private let folder: OutputFolder
    /// The log dates whose ids are erased, in order. That of a held-back load alone is not among them.
    let logDates: [Int32]
    /// The paths, in order.
    let files: [String]

    /// - Parameters:
    ///   - closed: nil if no log date is closed.
    ///   - today: held-back loads of later log dates are erased; nil to leave them.
    init(_ folder: OutputFolder, _ closed: ClosedDates?, today: Int32?) throws(WarehouseError) {
        self.folder = folder
        let forgotten = closed?.forgotten ?? []
        func isErased(_ file: DatedFile) -> Bool {
            closed?.isErasable(file.logDate) ?? false || forgotten.contains(file.logDate)
        }
        let found = try Erasure.files(in: folder).filter(isErased)
        let held = try Erasure.files(in: folder.heldPath) { OwnName.logDate(of: $0, [OwnName.held]) }
            .filter {
                closed?.isHeldLoadErasable($0.logDate) ?? false || forgotten.contains($0.logDate)
                    || $0.logDate > today ?? .max
            }
        // Of a forgotten log date, the settled file goes too.
        let settled = forgotten.filter { access(folder.settledPath($0), F_OK) == 0 }
        logDates = Set(found.map(\.logDate)).union(settled).sorted()
        files = (found.map(\.path) + held.map(\.path) + settled.map(folder.settledPath)).sorted()
    }

    /// Removes the files.
    func run(in held: HeldOutput) throws(WarehouseError) {
        assert(held.folder == folder)
        for file in files { _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove(file) } }
        for folder in [folder.partitionsPath, folder.cachePath, folder.heldPath] where Folder.isThere(folder) {
            try reportingCalls { () throws(SystemError) in try Folder.sync(folder) }
        }
    }

    /// The partitions, with what SQLite may leave beside them, the caches, and what jobs have left.
    private static func files(in folder: OutputFolder) throws(WarehouseError) -> [DatedFile] {
        var found = try files(in: folder.partitionsPath) { name in
            let companion = DatabaseFile.companions.first(where: name.hasSuffix)
            let partition = PartitionName(name.dropLast(companion?.count ?? 0))
            return partition.flatMap { $0.isSettled ? nil : $0.logDate }
        }
        found += try files(in: folder.cachePath) { OwnName.logDate(of: $0, OwnName.cached) }
        for job in folder.jobPaths() { found += try files(in: job, OwnName.logDate(ofEvents:)) }
        return found
    }

    /// The files of a folder that are ours by their whole names: `logDate` is nil for the others.
    fileprivate static func files(
        in folder: String, _ logDate: (_ name: String) -> Int32?
    ) throws(WarehouseError) -> [DatedFile] {
        guard Folder.isThere(folder) else { return [] }
        return try OutputFolder.names(in: folder).compactMap { name in logDate(name).map { ($0, "\(folder)/\(name)") } }
    }
}

/// The ids that an output holds: in its partitions, their caches, and what jobs have left.
package struct HeldIDs: Equatable, Sendable {
    /// The log dates that have ids, in order.
    package private(set) var logDates: [Int32] = []
    /// The size of the files that hold them, in bytes.
    package private(set) var bytes = 0
    private var erased: Set<Int32> = []

    /// The first log date with ids, if those of log dates before were erased; else nil.
    package var erasedBefore: Int32? {
        erased.max().map { last in logDates.first { $0 > last } ?? last + 1 }
    }

    package init(in folder: OutputFolder) throws(WarehouseError) {
        var files = try Erasure.files(in: folder.partitionsPath) { name in
            PartitionName(name).flatMap { $0.isSettled ? nil : $0.logDate }
        }
        files += try Erasure.files(in: folder.cachePath) { OwnName.logDate(of: $0, [OwnName.shared]) }
        for job in folder.jobPaths() { files += try Erasure.files(in: job, OwnName.logDate(ofEvents:)) }
        let logDates = Set(files.map(\.logDate))
        bytes = files.reduce(0) { $0 + (FileStamp(path: $1.path)?.bytes ?? 0) }
        self.logDates = logDates.sorted()
        let settled = try OutputFolder.names(in: folder.partitionsPath).compactMap { PartitionName($0) }
            .filter(\.isSettled).map(\.logDate)
        erased = Set(settled).subtracting(logDates)
    }

    /// Whether a log date is settled and its ids are erased.
    package func areErased(_ logDate: Int32) -> Bool { erased.contains(logDate) }
}
