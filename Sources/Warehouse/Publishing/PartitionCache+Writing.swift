import Calendar
import Counting
import Events
import Foundation
import Hashing
import Posix

extension PartitionCache {
    /// Caches what was computed of a partition. It is held in memory where it cannot be written.
    /// - Parameters:
    ///   - before: what was cached; the first of `runs` are its runs, unless all are to be written anew.
    ///   - runs: the events of all shared messages.
    init(
        of summary: PartitionSummary, stamp: FileStamp?, neighbours: [Int32: Neighbour], before: PartitionCache?,
        _ runs: [SharedRun], _ unshared: UnsharedTimes, _ settings: PublicationSettings, sharing: [Int32: String],
        days: [Int32: DayDigest], in folder: OutputFolder
    ) throws(WarehouseError) {
        let compacted = SharedRun.compact(runs)
        let runs = compacted ?? runs
        let known = compacted == nil ? before : nil
        var (index, newBytes): ([UInt8], [UInt8]) = (try known?.readParts().blocks ?? [], [])
        let start = PartitionCache.words(index).last ?? 0
        var heads = known?.head.runs ?? []
        for run in runs.dropFirst(heads.count) {
            let blocks = SharedEvents.blocks(run.list.events)
            for block in blocks {
                newBytes += block.bytes
                for word in [
                    block.first.high, block.first.low, block.last.high, block.last.low, UInt64(block.count),
                    start + UInt64(newBytes.count),
                ] {
                    withUnsafeBytes(of: word.littleEndian) { index.append(contentsOf: $0) }
                }
            }
            heads.append(
                RunHead(idSpace: run.section.idSpace, kind: run.section.kind.rawValue, blocks: blocks.count))
        }
        let parts = [index, runs.flatMap(\.list.resolutions).map(\.rawValue), unshared.bytes]
        let described = parts.map { Part(length: $0.count, hash: WordHash.of($0.span)) }
        let head = Head(
            subject: PartitionCache.subject(summary), stamp: stamp, neighbours: neighbours, runs: heads,
            blocks: described[0], resolutions: described[1], unshared: described[2], settings: settings.version,
            sharing: sharing, days: days)
        self.init(head, path: PartitionCache.path(of: summary, in: folder))
        blocks = known?.blocks.map { $0 + newBytes }
        if blocks == nil, !write(newBytes, at: Int(start), in: folder) {
            blocks = Array(((try? WholeFile.read(sharedPath)) ?? []).prefix(Int(start))) + newBytes
        }
        write(parts.flatMap { $0 }, in: folder)
    }

    /// Takes note that the partition's file has been found whole.
    mutating func confirm(_ stamp: FileStamp?, in folder: OutputFolder) {
        guard let (blocks, resolutions, unshared) = try? readParts() else { return }
        head.stamp = stamp
        write(blocks + resolutions + unshared, in: folder)
    }

    /// The stamp that a partition's file had when last it was found whole; nil if nothing is known of it.
    static func stampFoundWhole(_ summary: PartitionSummary, in folder: OutputFolder) -> FileStamp? {
        PartitionCache(of: summary, in: folder)?.head.stamp
    }

    /// Removes the caches of partitions that are not among these.
    static func removeStrays(besides summaries: [PartitionSummary], in folder: OutputFolder) {
        for suffix in [suffix, sharedSuffix] {
            folder.removeKept(
                ending: suffix, besides: Set(summaries.map { CalendarText.date(ofDay: $0.logDate) + suffix }))
        }
    }

    /// Writes blocks behind those that are there.
    private func write(_ bytes: [UInt8], at start: Int, in folder: OutputFolder) -> Bool {
        guard start > 0 else { return folder.keep(bytes, as: name(sharedPath, folder)) }
        guard !bytes.isEmpty else { return true }
        do throws(SystemError) {
            let file = try FileDescriptor(sharedPath, O_WRONLY)
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
        // Blocks in memory are gone after this process, and must not be taken for those of the file.
        if blocks == nil, folder.keep(bytes, as: name(path, folder)) { self.parts = nil }
    }

    private func name(_ path: String, _ folder: OutputFolder) -> String {
        String(path.dropFirst(folder.keptPath.count + 1))
    }
}
