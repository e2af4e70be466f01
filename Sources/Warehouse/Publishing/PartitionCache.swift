import Calendar
import Counting
import Events
import Foundation
import Hashing
import Posix

/// The cached facts about a partition, from which its figures are computed without other partitions. Losing the cache
/// costs time and changes no figure. Every byte of it has a hash, and every hash is in the head or vouched for by it.
/// What is not as it was written throws `damage`, and `FigureComputation` goes on without the cache.
///
/// `partitions/.kept/2026-11-19.shared` has the partition's standalone tables. After them come the events of the
/// messages that it shares with any partition that it was compared with, as a sequence of blocks. Blocks are only
/// appended, until the whole file is written again. `2026-11-19.figures` beside it has:
///
///     8 bytes   hash of the head
///     8 bytes   length of the head
///     head      JSON, a `Head`
///     parts     in sequence, see `Head`
struct PartitionCache: Sendable {
    /// A partition that this one has been compared with.
    struct Neighbour: Codable, Equatable, Sendable {
        let version: String
        /// Whether both have a message in common.
        let shares: Bool
    }

    struct Head: Codable, Sendable {
        /// The versions of this format and of the partition.
        let subject: String
        /// The stamp of the partition's file when it was last verified.
        var stamp: FileStamp?
        /// By log date.
        let neighbours: [Int32: Neighbour]
        /// The settings of the standalone tables (time zone and order of sources), and the encoded tables.
        let standalone: String
        let daily: Part
        let funnel: Part
        let hourly: Part
        /// The runs of blocks, in block order.
        let runs: [RunHead]
        /// Seven words of 8 bytes for each block: first id and last id (high, low), number of events, hash, end offset.
        let blocks: Part
        /// The resolution of each event in the blocks, two bytes each, see `Resolution`.
        let resolutions: Part
        /// The resolutions and digests depend on these settings, and on these versions of the partitions within
        /// reach that share a message, by log date.
        let settings: String
        let sharing: [Int32: String]
        /// The digests of the figures, by day.
        let days: [Int32: DayDigest]

        /// The offset of the first block, after the tables.
        var tablesEnd: Int { daily.length + funnel.length + hourly.length }
    }

    /// Blocks of one section, sorted by id. No message is in two runs.
    struct RunHead: Codable, Sendable {
        let idSpace: String
        let kind: UInt8
        /// The number of blocks.
        let blocks: Int
    }

    /// A range of bytes in a file.
    struct Part: Codable, Sendable {
        let length: Int
        let hash: UInt64
    }

    /// The version of the format of both files.
    private static let format = 7
    /// The words of a block in `Head.blocks`.
    static let blockWords = 7

    var head: Head
    let path: String
    /// The parts and the content of the shared file, if they could not be written.
    var parts: [UInt8]?
    var shared: [UInt8]?

    init(_ head: Head, path: String) {
        self.head = head
        self.path = path
    }

    /// The cache for this version of a partition; nil if there is none.
    init?(of summary: PartitionSummary, in folder: OutputFolder) {
        let path = PartitionCache.path(of: summary, in: folder)
        // Without the file, its content is computed again.
        guard let text = try? PartitionCache.head(at: path),
            let head = try? JSONDecoder().decode(Head.self, from: Data(text)),
            head.subject == PartitionCache.subject(summary)
        else { return nil }
        self.init(head, path: path)
    }

    /// The bytes of the head; empty if they are not as they were written.
    private static func head(at path: String) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(file: path)
        defer { file.close() }
        var start = [UInt8](repeating: 0, count: 16)
        guard let size = FileStamp(file)?.bytes, try file.fill(&start, 0..<16) == 16 else { return [] }
        let (hash, length) = (words(start)[0], words(start)[1])
        guard size >= 16, length <= UInt64(size - 16) else { return [] }
        var text = [UInt8](repeating: 0, count: Int(length))
        guard try file.fill(&text, 0..<text.count) == text.count, WordHash.of(text.span) == hash else { return [] }
        return text
    }

    /// The events of all shared messages.
    func sharedBlocks(_ limits: NameCounts) throws(WarehouseError) -> SharedBlocks {
        let (index, resolutions) = try readParts()
        let words = PartitionCache.words(index)
        guard words.count == PartitionCache.blockWords * head.runs.reduce(0, { $0 + $1.blocks }) else { throw damage }
        var shared = SharedBlocks(
            bytes: try readShared(words.last ?? 0), start: head.tablesEnd,
            resolutions: resolutions, limits: limits, damage: damage)
        for run in head.runs {
            guard let kind = Section.Kind(rawValue: run.kind) else { throw damage }
            shared.appendRun(Section(idSpace: run.idSpace, kind: kind))
            for _ in 0..<run.blocks {
                let block = Array(
                    words[(PartitionCache.blockWords * shared.blockCount)...].prefix(PartitionCache.blockWords))
                try shared.appendBlock(
                    first: EventID(high: block[0], low: block[1]), last: EventID(high: block[2], low: block[3]),
                    events: Int(truncatingIfNeeded: block[4]), hash: block[5], end: Int(truncatingIfNeeded: block[6]))
            }
        }
        return shared
    }

    /// The error for a file that cannot be read.
    var damage: WarehouseError { .corrupt(path: path, detail: "its cached figures cannot be read") }

    func readParts() throws(WarehouseError) -> (blocks: [UInt8], resolutions: [UInt8]) {
        var rest = if let parts { parts } else { try PartitionCache.parts(at: path, else: damage) }
        func take(_ part: Part) throws(WarehouseError) -> [UInt8] {
            guard (0...rest.count).contains(part.length) else { throw damage }
            let bytes = Array(rest.prefix(part.length))
            rest = Array(rest.dropFirst(part.length))
            guard WordHash.of(bytes.span) == part.hash else { throw damage }
            return bytes
        }
        return (try take(head.blocks), try take(head.resolutions))
    }

    private static func parts(at path: String, else damage: WarehouseError) throws(WarehouseError) -> [UInt8] {
        guard let bytes = try? WholeFile.readFile(path), bytes.count >= 16 else { throw damage }
        let length = words(Array(bytes.prefix(16)))[1]
        guard length <= UInt64(bytes.count - 16) else { throw damage }
        return Array(bytes[(16 + Int(length))...])
    }

    /// The standalone tables; nil if they have other settings.
    func standaloneTables(_ key: String, _ limits: NameCounts) throws(WarehouseError) -> DailyTables? {
        guard head.standalone == key else { return nil }
        var rest = try readShared(UInt64(head.tablesEnd))[...]
        func take(_ part: Part) throws(WarehouseError) -> [UInt8] {
            let bytes = Array(rest.prefix(part.length))
            rest = rest.dropFirst(part.length)
            guard WordHash.of(bytes.span) == part.hash else { throw damage }
            return bytes
        }
        let (daily, funnel, hourly) = (try take(head.daily), try take(head.funnel), try take(head.hourly))
        do {
            return DailyTables(
                daily: try DailyActions(bytes: daily.span, limits: limits),
                funnel: try DailyFunnel(bytes: funnel.span, limits: limits),
                hourly: try HourlyActions(bytes: hourly.span, limits: limits))
        } catch {
            throw damage
        }
    }

    /// The first bytes of the shared file.
    func readShared(_ end: UInt64) throws(WarehouseError) -> [UInt8] {
        if let shared { return shared }
        guard let end = Int(exactly: end), FileStamp(path: sharedPath).map({ $0.bytes >= end }) ?? false else {
            throw damage
        }
        var bytes = [UInt8](repeating: 0, count: end)
        do throws(SystemError) {
            let file = try FileDescriptor(file: sharedPath)
            defer { file.close() }
            if try file.fill(&bytes, 0..<end) == end { return bytes }
        } catch {}
        throw damage
    }

    var sharedPath: String { path.dropLast(PartitionCache.suffix.count) + PartitionCache.sharedSuffix }

    static let suffix = OwnName.figures
    static let sharedSuffix = OwnName.shared

    static func path(of summary: PartitionSummary, in folder: OutputFolder) -> String {
        "\(folder.cachePath)/\(CalendarText.date(ofDay: summary.logDate))\(suffix)"
    }

    static func subject(_ summary: PartitionSummary) -> String { "\(format); \(summary.version)" }

    static func words(_ bytes: [UInt8]) -> [UInt64] {
        let raw = bytes.span.bytes
        return (0..<bytes.count / 8).map { index in
            UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
    }
}
