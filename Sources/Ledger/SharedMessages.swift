import Calendar
import Counting
import Events
import Foundation
import Hashing
import Partitions
import Posix

// A log date's file of shared messages, `partitions/.kept/2026-11-19.shared`. Integers are little-endian:
//
//     8 bytes   hash of all that follows
//     2 bytes   length of the partition's version; its bytes
//     for each section:
//       2 bytes   length of the id space; its bytes
//       1 byte    kind
//       4 bytes   number of blocks
//       for each block: first id and last id (16 bytes each, high word first), 4 bytes number of events,
//                       4 bytes length; its bytes

/// The events of all messages that a log date shares with other log dates within reach. There may be more: messages that it has
/// shared with partitions that were replaced since. They change no figure.
struct SharedMessages: Sendable {
    /// The version of the partition.
    let version: String
    /// Sorted by id.
    private(set) var events: [Section: [Event]] = [:]

    init(version: String) {
        self.version = version
    }

    var isEmpty: Bool { events.isEmpty }

    /// Adds the events of messages, and leaves the messages that are here already.
    mutating func add(_ blocks: [Section: [EventBlock]]) throws(EventBlockError) {
        for (section, blocks) in blocks {
            var found: [Event] = []
            for block in blocks { try block.decode(appendingTo: &found) }
            // Where both have a message, both have all of its events.
            let known = Set((events[section] ?? []).map(\.id))
            events[section, default: []] += found.filter { !known.contains($0.id) }
            // Two sorted lists are merged.
            events[section]?.sort { $0.id != $1.id ? $0.id < $1.id : $0.action < $1.action }
            assert(events[section].map { $0.span.isSorted } ?? true)
        }
    }

    /// The ids of the messages. Sorted.
    var ids: [Section: [EventID]] {
        events.mapValues { events in
            var ids: [EventID] = []
            for event in events where event.id != ids.last { ids.append(event.id) }
            return ids
        }
    }

    /// The messages of some ids alone. These must be sorted.
    func restricted(to ids: [Section: [EventID]]) -> SharedMessages {
        var result = SharedMessages(version: version)
        for (section, events) in events {
            let found = events.of(ids[section] ?? [])
            if !found.isEmpty { result.events[section] = found }
        }
        return result
    }
}

// MARK: The file

extension SharedMessages {
    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ text: String) {
            append(UInt16(truncatingIfNeeded: text.utf8.count))
            bytes += text.utf8
        }
        assert(events.values.allSatisfy { $0.span.isSorted })
        append(version)
        for (section, events) in events.sorted(by: { $0.key < $1.key }) where !events.isEmpty {
            append(section.idSpace)
            append(section.kind.rawValue)
            let blocks = EventBlock.blocks(of: events)
            append(UInt32(truncatingIfNeeded: blocks.count))
            for block in blocks {
                for id in [block.first, block.last] {
                    append(id.high)
                    append(id.low)
                }
                append(UInt32(truncatingIfNeeded: block.count))
                append(UInt32(truncatingIfNeeded: block.bytes.count))
                bytes += block.bytes
            }
        }
        let hash = WordHash.of(bytes.span)
        return withUnsafeBytes(of: hash.littleEndian) { Array($0) } + bytes
    }

    /// Nil if the bytes are not as they were written, or are about another version of the partition.
    /// - Parameters:
    ///   - hash: of the bytes, as the ledger has it.
    ///   - names: of the partition's numbers.
    init?(bytes: [UInt8], hash: String, version: String, names: EventNames) {
        guard bytes.count > 8, SharedMessages.hash(of: bytes) == hash,
            WordHash.of(bytes.span.extracting(8..<bytes.count)).hexDigits == hash
        else { return nil }
        // So they are what was written.
        var reader = Reader(bytes: bytes, offset: 8)
        guard reader.text() == version else { return nil }
        self.init(version: version)
        while !reader.isAtEnd {
            let idSpace = reader.text()
            guard let kind = Section.Kind(rawValue: reader.number(UInt8.self)) else { return nil }
            var events: [Event] = []
            for _ in 0..<reader.number(UInt32.self) {
                guard (try? reader.block().decode(appendingTo: &events)) != nil else { return nil }
            }
            guard names.hold(events.span) else { return nil }
            self.events[Section(idSpace: idSpace, kind: kind)] = events
        }
    }

    /// The hash that the bytes of a file begin with, in hexadecimal digits.
    static func hash(of bytes: [UInt8]) -> String {
        var reader = Reader(bytes: bytes, offset: 0)
        return reader.number(UInt64.self).hexDigits
    }

    /// Reads the bytes of a file from front to back.
    private struct Reader {
        let bytes: [UInt8]
        var offset: Int

        var isAtEnd: Bool { offset == bytes.count }

        mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number {
            Number(take(Number.bitWidth / 8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        mutating func text() -> String { String(decoding: take(Int(number(UInt16.self))), as: UTF8.self) }

        mutating func block() -> EventBlock {
            let (first, last, count) = (id(), id(), Int(number(UInt32.self)))
            return EventBlock(first: first, last: last, count: count, bytes: Array(take(Int(number(UInt32.self)))))
        }

        private mutating func id() -> EventID { EventID(high: number(UInt64.self), low: number(UInt64.self)) }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
            offset += count
            return bytes[(offset - count)..<offset]
        }
    }
}

/// Computes what the shared messages of log dates change in the rows that these would have if they were alone.
struct SharedCorrections: Sendable {
    /// A partition and the events of its shared messages.
    struct Member: Sendable {
        let logDate: Int32
        let names: EventNames
        var shared: SharedMessages
        /// Whether its rows are wanted. The others only have messages of those.
        let isWanted: Bool
    }

    /// A piece of work is at least so many events.
    private static let leastEvents = 1 << 16

    /// Sorted by log date.
    private let members: [Member]
    private let names: GlobalNames
    private let settings: PublicationSettings
    private let days: DayClock
    private let factor: Int

    /// - Parameter factor: what all counts are multiplied by.
    init(_ members: [Member], _ settings: PublicationSettings, factor: Int = 1) {
        assert(zip(members, members.dropFirst()).allSatisfy { $0.logDate < $1.logDate })
        (self.members, self.settings, self.factor) = (members, settings, factor)
        names = GlobalNames(members.map(\.names), pipelineSources: settings.sourceNames)
        days = DayClock(zone: settings.zone)
    }

    /// The tables to be added, by log date.
    func tables(_ workers: any Workers) throws(WarehouseError) -> [Int32: DailyTables] {
        let sections = Set(members.flatMap(\.shared.events.keys)).sorted()
        let events = members.flatMap(\.shared.events.values).reduce(0) { $0 + $1.count }
        let shares = Shards(min(workers.count, events / SharedCorrections.leastEvents + 1))
        let found = try workers.map(sections.count * shares.count) { number throws(WarehouseError) in
            resolve(sections[number / shares.count], number % shares.count, of: shares)
        }
        var tables: [Int32: DailyTables] = [:]
        for piece in found {
            for (member, sums) in zip(members, piece) where member.isWanted {
                tables[member.logDate, default: DailyTables()].merge(sums)
            }
        }
        return tables
    }

    /// The tables of a share of the messages of a section, by member.
    private func resolve(_ section: Section, _ share: Int, of shares: Shards) -> [DailyTables] {
        assert((0..<shares.count).contains(share))
        let seed = Shards.seed(section)
        let lists = members.map { member in
            let events = member.shared.events[section] ?? []
            return shares.count == 1 ? events : events.filter { shares.shard(of: $0.id, seed) == share }
        }
        var resolver = MessageResolver(
            logDates: members.map(\.logDate), windowDays: settings.windowDays, names: names, factor: factor, days: days)
        return resolver.corrections(lists)
    }
}
