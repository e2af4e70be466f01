import Counting
import Events
import Foundation
import Hashing
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
    /// - Parameter limits: of the partition's numbers.
    init?(bytes: [UInt8], version: String, limits: NameCounts) {
        guard bytes.count >= 8 else { return nil }
        var reader = Reader(bytes: bytes, offset: 8)
        guard reader.hash == WordHash.of(bytes.span.extracting(8..<bytes.count)), reader.text() == version else {
            return nil
        }
        self.init(version: version)
        while !reader.isAtEnd {
            guard let idSpace = reader.text(), let kind = reader.number(UInt8.self).flatMap(Section.Kind.init),
                let blocks = reader.number(UInt32.self)
            else { return nil }
            var events: [Event] = []
            for _ in 0..<blocks {
                guard let block = reader.block(), (try? block.decode(appendingTo: &events)) != nil else { return nil }
            }
            guard limits.hold(events.span) else { return nil }
            self.events[Section(idSpace: idSpace, kind: kind)] = events
        }
    }

    /// The hash that the bytes of a file begin with, in hexadecimal digits.
    static func hash(of bytes: [UInt8]) -> String { Reader(bytes: bytes, offset: 8).hash.hexDigits }

    /// Reads a file from front to back. Gives nil where it ends too early.
    private struct Reader {
        let bytes: [UInt8]
        var offset: Int

        var isAtEnd: Bool { offset == bytes.count }

        var hash: UInt64 { bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

        mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
            guard let bytes = take(Number.bitWidth / 8) else { return nil }
            return Number(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        mutating func text() -> String? {
            guard let length = number(UInt16.self), let bytes = take(Int(length)) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }

        mutating func block() -> EventBlock? {
            guard let first = id(), let last = id(), let count = number(UInt32.self), count <= EventBlock.capacity,
                let length = number(UInt32.self), let bytes = take(Int(length))
            else { return nil }
            return EventBlock(first: first, last: last, count: Int(count), bytes: Array(bytes))
        }

        private mutating func id() -> EventID? {
            guard let high = number(UInt64.self), let low = number(UInt64.self) else { return nil }
            return EventID(high: high, low: low)
        }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard bytes.count - offset >= count else { return nil }
            offset += count
            return bytes[(offset - count)..<offset]
        }
    }
}
