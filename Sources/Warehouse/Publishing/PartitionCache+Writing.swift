import Calendar
import Counting
import Events
import Foundation
import Hashing
import Posix

extension PartitionCache {
    /// Caches the facts about a partition. They remain in memory if the files cannot be written.
    /// - Parameters:
    ///   - before: the cache so far. `runs` begins with its runs.
    ///   - runs: the events of all shared messages.
    init(
        of summary: PartitionSummary, stamp: FileStamp?, neighbours: [Int32: Neighbour], before: PartitionCache?,
        standalone: (key: String, tables: DailyTables), _ runs: [SharedRun],
        _ settings: PublicationSettings, sharing: [Int32: String], days: [Int32: DayDigest],
        in folder: OutputFolder
    ) throws(WarehouseError) {
        let compacted = SharedRun.compact(runs)
        let runs = compacted ?? runs
        let known = compacted == nil && before?.head.standalone == standalone.key ? before : nil
        var (index, newBytes): ([UInt8], [UInt8]) = (try known?.readParts().blocks ?? [], [])
        var tables = [known?.head.daily, known?.head.funnel, known?.head.hourly].compactMap { $0 }
        if known == nil {
            let coded = [
                standalone.tables.daily.bytes, standalone.tables.funnel.bytes, standalone.tables.hourly.bytes,
            ]
            tables = coded.map(PartitionCache.part)
            newBytes = coded[0] + coded[1] + coded[2]
        }
        let start = known == nil ? 0 : PartitionCache.words(index).last ?? UInt64(tables.reduce(0) { $0 + $1.length })
        var heads = known?.head.runs ?? []
        for run in runs.dropFirst(heads.count) {
            let blocks = SharedEvents.blocks(run.list.events)
            for block in blocks {
                newBytes += block.bytes
                for word in [
                    block.first.high, block.first.low, block.last.high, block.last.low, UInt64(block.count), block.hash,
                    start + UInt64(newBytes.count),
                ] {
                    withUnsafeBytes(of: word.littleEndian) { index.append(contentsOf: $0) }
                }
            }
            heads.append(
                RunHead(idSpace: run.section.idSpace, kind: run.section.kind.rawValue, blocks: blocks.count))
        }
        let parts = [index, PartitionCache.bytes(runs.flatMap(\.list.resolutions))]
        let described = parts.map(PartitionCache.part)
        let head = Head(
            subject: PartitionCache.subject(summary), stamp: stamp, neighbours: neighbours,
            standalone: standalone.key, daily: tables[0], funnel: tables[1], hourly: tables[2], runs: heads,
            blocks: described[0], resolutions: described[1], settings: settings.version,
            sharing: sharing, days: days)
        self.init(head, path: PartitionCache.path(of: summary, in: folder))
        shared = known?.shared.map { $0 + newBytes }
        if shared == nil, !write(newBytes, at: Int(start), in: folder) {
            shared = (start == 0 ? [] : try readShared(start)) + newBytes
        }
        write(parts.flatMap { $0 }, in: folder)
    }

    private static func bytes(_ resolutions: [Resolution]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * resolutions.count)
        for resolution in resolutions {
            bytes.append(UInt8(truncatingIfNeeded: resolution.rawValue))
            bytes.append(UInt8(truncatingIfNeeded: resolution.rawValue >> 8))
        }
        return bytes
    }

    /// Caches that the partition's file has been verified.
    mutating func confirm(_ stamp: FileStamp?, in folder: OutputFolder) throws(WarehouseError) {
        let (blocks, resolutions) = try readParts()
        head.stamp = stamp
        write(blocks + resolutions, in: folder)
    }

    /// The stamp that a partition's file had when it was last verified; nil if it is not cached.
    static func verifiedStamp(_ summary: PartitionSummary, in folder: OutputFolder) -> FileStamp? {
        PartitionCache(of: summary, in: folder)?.head.stamp
    }

    /// Removes the caches of all other partitions.
    static func removeStrays(besides summaries: [PartitionSummary], in folder: OutputFolder) {
        for suffix in [suffix, sharedSuffix] {
            folder.removeCached(
                ending: suffix, besides: Set(summaries.map { CalendarText.date(ofDay: $0.logDate) + suffix }))
        }
    }

    private static func part(_ bytes: [UInt8]) -> Part { Part(length: bytes.count, hash: WordHash.of(bytes.span)) }

    /// Writes `bytes` to the shared file from offset `start`. With 0, replaces the file.
    private func write(_ bytes: [UInt8], at start: Int, in folder: OutputFolder) -> Bool {
        guard start > 0 else { return folder.cacheUnmarked(bytes, as: name(sharedPath, folder)) }
        guard !bytes.isEmpty else { return true }
        guard folder.mayCache else { return false }
        do throws(SystemError) {
            let file = try FileDescriptor(file: sharedPath, O_WRONLY | O_NOFOLLOW)
            defer { file.close() }
            try file.write(bytes.span, at: start)
            return true
        } catch {
            return false
        }
    }

    private mutating func write(_ parts: [UInt8], in folder: OutputFolder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        self.parts = parts
        guard let text = try? encoder.encode(head) else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + text.count + parts.count)
        for word in [WordHash.of([UInt8](text).span), UInt64(text.count)] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += text
        bytes += parts
        // Data in memory is lost when this process ends. Then the head must not describe it.
        if shared == nil, folder.cacheUnmarked(bytes, as: name(path, folder)) { self.parts = nil }
    }

    private func name(_ path: String, _ folder: OutputFolder) -> String {
        String(path.dropFirst(folder.cachePath.count + 1))
    }
}
