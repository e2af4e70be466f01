import Calendar
import Foundation
import Messages
import Partitions
import Posix

/// The damage that was found in a partition's file. It is valid as long as the file has the same stamp.
///
/// Stored in `partitions/.kept/2026-11-19.damage`:
///
///     {"detail":"table daily is not as it was written","files":[{"bytes":172,"fingerprint":"0f…","isOK":true,
///     "path":"../logs/a.log","source":"adobe"}],"kind":"corrupt","stamp":{…}}
package struct PartitionDamage: Codable, Equatable, Sendable {
    private enum Kind: String, Codable {
        case notSQLite
        case foreign
        case corrupt
        /// The partition of a closed log date is gone, or another one.
        case closed
    }

    private static let suffix = OwnName.damage

    /// Nil if the file is gone.
    private let stamp: FileStamp?
    private let kind: Kind
    private let detail: String
    /// The input files of the partition, as far as they are known.
    package let files: [FormerFile]

    /// The stored damage of a log date's partition, if its file has not changed since; else nil.
    package init?(of logDate: Int32, in folder: OutputFolder) {
        guard let damage: PartitionDamage = folder.cachedValue(PartitionDamage.name(logDate)),
            damage.stamp == FileStamp(path: folder.partitionPath(logDate))
        else { return nil }
        self = damage
    }

    /// Nil if `error` is no damage, the file is missing, or a later change of it might not show. Also nil for damage that is
    /// beside the file and not in it: opening it finds that each time.
    private init?(_ error: WarehouseError, of logDate: Int32, in folder: OutputFolder) {
        let path = folder.partitionPath(logDate)
        let stamp = FileStamp.steady(path: path)
        guard stamp != nil || FileStamp(path: path) == nil, DatabaseFile.companion(of: path) == nil else { return nil }
        switch error {
        case .notSQLite: (kind, detail) = (.notSQLite, "")
        case .foreign(_, let application): (kind, detail) = (.foreign, String(application))
        case .corrupt(_, let text): (kind, detail) = (.corrupt, text)
        case .retention(.partition(_, _, let text)), .retention(.ids(_, _, let text)): (kind, detail) = (.closed, text)
        default: return nil
        }
        self.stamp = stamp
        files = PartitionDamage.files(of: logDate, in: folder)
    }

    /// The error that reading the partition gives.
    package func error(of logDate: Int32, in folder: OutputFolder) -> WarehouseError {
        let path = folder.partitionPath(logDate)
        return switch kind {
        case .notSQLite: .notSQLite(path: path)
        case .foreign: .foreign(path: path, applicationID: Int(detail) ?? 0)
        case .corrupt: .corrupt(path: path, detail: detail)
        case .closed: .retention(.partition(path: path, logDate: logDate, detail: detail))
        }
    }

    /// Stores damage that is not stored yet.
    package static func store(_ errors: [WarehouseError], in held: HeldOutput) {
        for (logDate, error) in damaged(errors) where PartitionDamage(of: logDate, in: held.folder) == nil {
            guard let damage = PartitionDamage(error, of: logDate, in: held.folder) else { continue }
            held.cacheValue(damage, as: name(logDate))
        }
    }

    /// Removes stored damage, except that of `errors`, and what is still there.
    static func remove(allBut errors: [WarehouseError], in held: HeldOutput) {
        let folder = held.folder
        // Without a list, all is found again.
        let names = (try? OutputFolder.names(in: folder.cachePath)) ?? []
        let stored = names.compactMap { OwnName.logDate(of: $0, [suffix]) }
        let known = Set(damaged(errors).map { $0.0 })
        let left = stored.filter {
            known.contains($0) || PartitionDamage(of: $0, in: folder)?.isThere(logDate: $0, in: folder) ?? false
        }
        held.removeCached(ending: suffix, besides: Set(left.map(name)))
    }

    /// Whether the file is damaged indeed. What was wrong may have been the reading.
    private func isThere(logDate: Int32, in folder: OutputFolder) -> Bool {
        do {
            try Partition(path: folder.partitionPath(logDate)).verify()
            return false
        } catch {
            // A log date without a partition of its own is missing, and not damaged.
            if case .missing = error { return false }
            return true
        }
    }

    /// The input files of a partition: read from the partition, or from push.db if the partition cannot be read.
    private static func files(of logDate: Int32, in folder: OutputFolder) -> [FormerFile] {
        let files =
            (try? Partition(accountsOf: logDate, folder: folder).files())
            ?? (try? OutputDatabase(folder, busyTimeout: 1).files(of: logDate)) ?? []
        return files.map { FormerFile($0) }
    }

    /// The input files of a partition that cannot be read, as far as they are known.
    package static func knownFiles(of logDate: Int32, in folder: OutputFolder) -> [FormerFile] {
        PartitionDamage(of: logDate, in: folder)?.files ?? files(of: logDate, in: folder)
    }

    /// The errors about partitions, with their log dates.
    static func damaged(_ errors: [WarehouseError]) -> [(Int32, WarehouseError)] {
        errors.compactMap { error in
            error.path.flatMap(PartitionName.logDate(ofPartitionAt:)).map { ($0, error) }
        }
    }

    private static func name(_ logDate: Int32) -> String { CalendarText.date(ofDay: logDate) + suffix }
}

extension PartitionDamage {
    /// That the partitions of published log dates are gone; nil for none.
    package static func message(ofGone logDates: [Int32]) -> Message? {
        guard let first = logDates.min(), let last = logDates.max() else { return nil }
        let (from, to) = (LogDate(dayNumber: Int(first)), LogDate(dayNumber: Int(last)))
        if from == to {
            return Message(
                "partition_gone",
                """
                \(from): its partition is gone; push.db lacks that log date until the file is put back, or \
                'pushetl run --date \(from)' loads it again
                """, logDate: from)
        }
        return Message(
            "partition_gone",
            """
            \(from) to \(to): \(logDates.count) partitions are gone; push.db lacks those log dates until the files are put \
            back, or 'pushetl backfill --from \(from) --to \(to)' loads them again
            """)
    }
}

extension OutputDatabase {
    /// Makes log dates whose partitions are damaged known as such. Returns false if that cannot be noted.
    package func note(_ damaged: [WarehouseError]) -> Bool {
        guard !damaged.isEmpty else { return true }
        do {
            let lock = try OutputLock(folder, holder: "pushetl doctor, process \(getpid())")
            PartitionDamage.store(damaged, in: lock.held)
            lock.release()
            return true
        } catch {
            return false
        }
    }
}
