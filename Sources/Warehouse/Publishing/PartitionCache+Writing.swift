import Counting
import Events
import Foundation
import Hashing
import Posix

extension PartitionCache {
    /// What was computed of a partition. It is held in memory where it cannot be written.
    init(
        of summary: PartitionSummary, stamp: FileStamp?, neighbours: [Int32: Neighbour],
        shared: [Section: ResolvedEvents], unshared: UnsharedTimes, _ settings: PublicationSettings,
        sharing: [Int32: String], standalone: (key: String, tables: DailyTables), _ tables: DailyTables,
        _ names: NameHashes, in folder: OutputFolder
    ) {
        var parts = PartWriter()
        let standaloneDaily = parts.append(standalone.tables.daily.bytes)
        let standaloneFunnel = parts.append(standalone.tables.funnel.bytes)
        let (daily, funnel) = (parts.append(tables.daily.bytes), parts.append(tables.funnel.bytes))
        let times = parts.append(unshared.bytes)
        let sections = shared.keys.sorted()
        let blocksOfSections = sections.map { SharedEvents.blocks(shared[$0]?.events ?? []) }
        let blocks = blocksOfSections.flatMap { $0 }
        let resolutions = parts.append(
            sections.flatMap { shared[$0]?.resolutions ?? [] }.map(\.rawValue))
        // The index lies in front of the blocks.
        var end = parts.bytes.count + blocks.count * 48
        let index = blocks.flatMap { block -> [UInt64] in
            end += block.bytes.count
            return [
                block.first.high, block.first.low, block.last.high, block.last.low, UInt64(block.count), UInt64(end),
            ]
        }
        let head = Head(
            subject: PartitionCache.subject(summary), stamp: stamp, neighbours: neighbours,
            sections: zip(sections, blocksOfSections).map {
                SharedSection(idSpace: $0.idSpace, kind: $0.kind.rawValue, blocks: $1.count)
            }, blocks: parts.append(index.flatMap { word in withUnsafeBytes(of: word.littleEndian, Array.init) }),
            resolutions: resolutions, unshared: times, zoneName: settings.zoneName, settings: settings.version,
            sharing: sharing, standalone: standalone.key, standaloneDaily: standaloneDaily,
            standaloneFunnel: standaloneFunnel, days: [Int32: DayDigest](tables, names),
            daily: daily, funnel: funnel)
        for block in blocks { parts.bytes += block.bytes }
        self.init(head, path: PartitionCache.path(summary, folder))
        write(parts.bytes, in: folder)
    }

    /// Removes the caches of partitions that are not among these.
    static func removeStrays(besides summaries: [PartitionSummary], in folder: OutputFolder) {
        folder.removeKept(ending: suffix, besides: Set(summaries.map { name($0.logDate) }))
    }

    /// The stamp that a partition's file had when last it was found whole; nil if nothing is known of it.
    static func stampFoundWhole(_ summary: PartitionSummary, in folder: OutputFolder) -> FileStamp? {
        PartitionCache(of: summary, in: folder)?.head.stamp
    }

    mutating func write(_ parts: [UInt8], in folder: OutputFolder) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        self.parts = parts
        guard let text = try? encoder.encode(head) else { return }
        headLength = text.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + text.count + parts.count)
        for word in [WordHash.of([UInt8](text).span), UInt64(text.count)] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += text
        bytes += parts
        if folder.keep(bytes, as: path.split(separator: "/").last.map(String.init) ?? "") { self.parts = nil }
    }
}

/// Bytes of the parts behind a head.
private struct PartWriter {
    var bytes: [UInt8] = []

    mutating func append(_ part: [UInt8]) -> PartitionCache.Part {
        defer { bytes += part }
        return PartitionCache.Part(offset: bytes.count, length: part.count, hash: WordHash.of(part.span))
    }
}
