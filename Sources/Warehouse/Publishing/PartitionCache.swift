import Calendar
import Counting
import Events
import Foundation
import Hashing
import Posix

/// What is cached of a partition between publishes. It can be lost at any time: that costs time and changes no figure.
///
/// - Facts: that its file was found whole, its standalone tables, the partitions it has been compared with, the events of the messages that it
///   shares with any of them, and the first and last times of some rows without these messages (see `UnsharedTimes`).
/// - What became of each shared message, and the figures, with a note of all that they depend on. They are used as they are
///   or not at all.
///
/// It lies in `partitions/.kept/2026-11-19.figures`:
///
///     8 bytes   hash of the head
///     8 bytes   length of the head
///     head      JSON, a `Head`
///     parts     one after another, see `Head`
struct PartitionCache: Sendable {
    /// A partition that this one has been compared with.
    struct Neighbour: Codable, Equatable, Sendable {
        let version: String
        /// Whether both have a message.
        let shares: Bool
    }

    struct Head: Codable, Sendable {
        /// The versions of this format and of the partition.
        let subject: String
        /// Of the partition's file, when last it was found whole.
        var stamp: FileStamp?
        /// By log date.
        let neighbours: [Int32: Neighbour]
        /// The sections of shared messages, in order.
        let sections: [SharedSection]
        /// Of the blocks of their events: for each six words of 8 bytes, first id and last id (high, low), number of events,
        /// and the block's end among the parts. The blocks follow one another behind this part.
        let blocks: Part
        /// What became of each of these events, a byte each.
        let resolutions: Part
        /// `UnsharedTimes`, and the time zone of their days.
        let unshared: Part
        let zoneName: String
        /// What the resolutions and the figures depend on: the settings, and the versions of the partitions within reach that
        /// share a message, by log date.
        let settings: String
        let sharing: [Int32: String]
        /// The standalone tables as Counting codes them, and what they depend on.
        let standalone: String
        let standaloneDaily: Part
        let standaloneFunnel: Part
        /// By day, of the figures.
        let days: [Int32: DayDigest]
        /// The figures.
        let daily: Part
        let funnel: Part
    }

    struct SharedSection: Codable, Sendable {
        let idSpace: String
        let kind: UInt8
        /// How many blocks it has.
        let blocks: Int
    }

    /// Some bytes behind the head.
    struct Part: Codable, Sendable {
        let offset: Int
        let length: Int
        let hash: UInt64
    }

    static let suffix = ".figures"
    /// Changes with the meaning of the head or of a part.
    private static let format = 3

    var head: Head
    let path: String
    var headLength: Int
    /// The parts; nil where the file has them.
    var parts: [UInt8]?

    /// What is cached of this version of a partition; nil if nothing is.
    init?(of summary: PartitionSummary, in folder: OutputFolder) {
        path = PartitionCache.path(summary, folder)
        guard let (head, length) = PartitionCache.head(path), head.subject == PartitionCache.subject(summary)
        else { return nil }
        self.head = head
        headLength = length
    }

    /// A cache that is not written yet.
    init(_ head: Head, path: String) {
        self.head = head
        self.path = path
        headLength = 0
    }

    private static func head(_ path: String) -> (Head, length: Int)? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16), start.count == 16 else { return nil }
        let words = PartitionCache.words([UInt8](start))
        guard words[1] < 1 << 28, let text = try? file.read(upToCount: Int(words[1])), text.count == Int(words[1]),
            WordHash.of([UInt8](text).span) == words[0], let head = try? JSONDecoder().decode(Head.self, from: text)
        else { return nil }
        return (head, text.count)
    }

    /// Takes note that the partition's file has been found whole.
    mutating func confirm(_ stamp: FileStamp?, in folder: OutputFolder) {
        let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0.dropFirst(16 + headLength)) }
        head.stamp = stamp
        if let bytes = parts ?? bytes { write(bytes, in: folder) }
    }

    /// The figures, as `DailyActions` and `DailyFunnel` code them.
    func figures() throws(WarehouseError) -> (daily: [UInt8], funnel: [UInt8]) {
        (try read(head.daily), try read(head.funnel))
    }

    /// The standalone tables; nil where they are of another `key`.
    func standaloneTables(_ key: String, _ limits: NameCounts) throws(WarehouseError) -> DailyTables? {
        guard head.standalone == key else { return nil }
        let (daily, funnel) = (try read(head.standaloneDaily), try read(head.standaloneFunnel))
        do {
            return DailyTables(
                daily: try DailyActions(bytes: daily.span, limits: limits),
                funnel: try DailyFunnel(bytes: funnel.span, limits: limits))
        } catch {
            throw damage
        }
    }

    func unsharedTimes(_ limits: NameCounts) throws(WarehouseError) -> UnsharedTimes {
        let bytes = try read(head.unshared)
        do {
            return try UnsharedTimes(bytes: bytes.span, limits: limits)
        } catch {
            throw damage
        }
    }

    /// The index of the blocks of shared messages. Blocks are numbered from 0, over all sections.
    func sharedBlocks() throws(WarehouseError) -> SharedBlocks {
        let words = PartitionCache.words(try read(head.blocks))
        guard words.count == 6 * head.sections.reduce(0, { $0 + $1.blocks }) else { throw damage }
        var shared = SharedBlocks(start: head.blocks.offset + head.blocks.length)
        for section in head.sections {
            guard let kind = Section.Kind(rawValue: section.kind) else { throw damage }
            for _ in 0..<section.blocks {
                let block = words[(6 * shared.count)..<(6 * shared.count + 6)].map { $0 }
                shared.append(
                    first: EventID(high: block[0], low: block[1]), last: EventID(high: block[2], low: block[3]),
                    events: Int(truncatingIfNeeded: block[4]), end: Int(truncatingIfNeeded: block[5]),
                    Section(idSpace: section.idSpace, kind: kind))
            }
        }
        return shared
    }

    /// What became of each event of these blocks, one block's after another's.
    func resolutions(_ shared: SharedBlocks) throws(WarehouseError) -> [Resolution] {
        let bytes = try read(head.resolutions)
        guard bytes.count == shared.events else { throw damage }
        return bytes.map { Resolution(rawValue: $0) }
    }

    /// The events of some of these blocks, one block's after another's.
    func events(
        _ entries: ArraySlice<BlockEntry>, of shared: SharedBlocks, _ limits: NameCounts
    ) throws(WarehouseError) -> [Event] {
        var events: [Event] = []
        for entry in entries {
            let block = EventBlock(
                first: entry.first, last: entry.last, count: entry.events,
                bytes: try read(shared.bytes(of: entry.number)))
            guard (try? block.decode(appendingTo: &events)) != nil else { throw damage }
        }
        guard limits.hold(events.span) else { throw damage }
        return events
    }

    /// The file does not read.
    var damage: WarehouseError { .corrupt(path: path, detail: "it does not read") }

    private func read(_ part: Part) throws(WarehouseError) -> [UInt8] {
        let bytes = try read(part.offset..<(part.offset + part.length))
        guard WordHash.of(bytes.span) == part.hash else { throw damage }
        return bytes
    }

    private func read(_ range: Range<Int>) throws(WarehouseError) -> [UInt8] {
        if let parts {
            guard range.upperBound <= parts.count else { throw damage }
            return Array(parts[range])
        }
        var bytes = [UInt8](repeating: 0, count: range.count)
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            defer { file.close() }
            try file.go(to: 16 + headLength + range.lowerBound)
            if try file.fill(&bytes, 0..<bytes.count) == bytes.count { return bytes }
        } catch {}
        throw damage
    }

    static func path(_ summary: PartitionSummary, _ folder: OutputFolder) -> String {
        "\(folder.keptPath)/\(name(summary.logDate))"
    }

    static func name(_ logDate: Int32) -> String { CalendarText.date(ofDay: logDate) + suffix }

    static func subject(_ summary: PartitionSummary) -> String { "\(format); \(summary.version)" }

    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        let raw = bytes.span.bytes
        return (0..<bytes.count / 8).map { index in
            UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
    }
}
