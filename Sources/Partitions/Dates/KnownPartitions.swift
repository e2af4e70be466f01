import Calendar
import Posix
import Synchronization

/// What was found when the partitions were last read whole, with the stamps of their files. A file with the same stamp
/// need not be read again. It is a cache, `partitions/.kept/partitions`; without it, the partitions are read again.
package struct KnownPartitions: Codable, Equatable, Sendable {
    package struct Entry: Codable, Equatable, Sendable {
        package let stamp: FileStamp
        package let content: Content
    }

    package enum Content: Codable, Equatable, Sendable {
        case sound(PartitionSummary)
        /// The damage, and the log files from which the partition was made, as far as they are known.
        case damaged(String, files: [FormerFile])

        package var isSound: Bool {
            if case .sound = self { true } else { false }
        }
    }

    private static let name = "partitions"

    private var entries: [LogDate: Entry] = [:]

    package init() {}

    /// The last cache file that this process has read. It is asked for often, and so is read only once.
    private static let last = Mutex<(path: String, stamp: FileStamp, entries: [LogDate: Entry])?>(nil)

    package init(in folder: OutputFolder) {
        let path = "\(folder.cachePath)/\(KnownPartitions.name)"
        guard let stamp = FileStamp(path: path) else { return }
        if let last = KnownPartitions.last.withLock({ $0 }), last.path == path, last.stamp == stamp {
            entries = last.entries
            return
        }
        entries = folder.cachedValue(KnownPartitions.name) ?? [:]
        KnownPartitions.last.withLock { [entries] in $0 = (path, stamp, entries) }
    }

    package func write(in locked: LockedOutput) {
        if KnownPartitions(in: locked.folder) != self { locked.cacheValue(entries, as: KnownPartitions.name) }
    }

    /// What is known of a log date's partition; nil if its file has changed or was never read.
    package func content(of date: LogDate, in folder: OutputFolder) -> Content? {
        entries[date].flatMap { $0.stamp == FileStamp(path: folder.partitionPath(date)) ? $0.content : nil }
    }

    /// Whether the partition's file has changed since it was last read.
    package func isChanged(_ date: LogDate, in folder: OutputFolder) -> Bool {
        entries[date].map { $0.stamp != FileStamp(path: folder.partitionPath(date)) } ?? false
    }

    /// The log files that a partition was made from which was damaged when it was read last.
    package func files(ofDamaged date: LogDate) -> [FormerFile]? {
        if case .damaged(_, let files) = entries[date]?.content { files } else { nil }
    }

    mutating func take(_ findings: [Finding]) {
        entries = Dictionary(
            uniqueKeysWithValues: findings.compactMap { finding in
                guard let content = finding.content, let stamp = finding.stamp else { return nil }
                return (finding.date, Entry(stamp: stamp, content: content))
            })
    }
}

extension KnownPartitions {
    /// The result of looking at the place of a partition.
    struct Finding: Sendable {
        let date: LogDate
        /// Nil if there is no file.
        var content: Content?
        /// Nil if a later change might leave the stamp unchanged.
        var stamp: FileStamp?
        /// The partition, if it had to be opened.
        var open: Partition?
    }

    /// Looks at a log date's file, and reads it whole unless it is known.
    /// - Throws: errors other than damage of the file.
    func look(
        at date: LogDate, in folder: OutputFolder, resources: PublishingResources,
        formerFiles: (LogDate) -> [FormerFile]
    ) throws -> Finding {
        let path = folder.partitionPath(date)
        // Damage is checked again: a disk may have erred once.
        if let content = content(of: date, in: folder), content.isSound {
            return Finding(date: date, content: content, stamp: entries[date]?.stamp)
        }
        var partition: Partition?
        do {
            let opened = try Partition(of: date, in: folder)
            partition = opened
            if !resources.justWritten.contains(date) { try opened.verify(resources.isStopped) }
            return Finding(date: date, content: .sound(opened.summary), stamp: opened.steadyStamp, open: opened)
        } catch let error as OutputError where error.kind == .missing {
            return Finding(date: date)
        } catch let error as OutputError where error.isDamage {
            // The list of log files may be readable even in a damaged partition.
            let files = (try? partition?.files())?.map { FormerFile($0) } ?? formerFiles(date)
            // A damaged partition is read again in any case, so its stamp need not be reliable.
            let stamp = DatabaseFile.companion(of: path) == nil ? FileStamp(path: path) : nil
            return Finding(date: date, content: .damaged(error.damage ?? "", files: files), stamp: stamp)
        }
    }
}
