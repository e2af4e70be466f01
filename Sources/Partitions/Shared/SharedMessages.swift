import Calendar
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

/// The events of all messages that a log date shares with other log dates within reach. There may be more: messages
/// that it has shared with partitions that were replaced since. They change no figure.
package struct SharedMessages: Sendable {
    /// The version of the partition.
    package let version: String
    /// The blocks of a section are sorted by id. A message may be in two of them.
    package private(set) var blocks: [Section: [EventBlock]] = [:]

    package init(version: String) {
        self.version = version
    }

    package var isEmpty: Bool { blocks.isEmpty }

    /// Adds the events of messages, and leaves the messages that are here already.
    package mutating func add(_ found: [Section: [EventBlock]]) throws(EventBlockError) {
        assert(found.values.allSatisfy(\.areSorted))
        for (section, found) in found {
            guard let known = blocks[section] else {
                blocks[section] = found
                continue
            }
            var (events, new): ([Event], [Event]) = ([], [])
            for block in known { try block.decode(appendingTo: &events) }
            for block in found { try block.decode(appendingTo: &new) }
            // Where both have a message, both have all of its events.
            let end = events.count
            var next = 0
            for event in new {
                while next < end, events[next].id < event.id { next += 1 }
                if next == end || events[next].id != event.id { events.append(event) }
            }
            // Merges two sorted lists.
            events.sort { $0.id != $1.id ? $0.id < $1.id : $0.action < $1.action }
            blocks[section] = EventBlock.blocks(of: events)
        }
    }

    /// The entries of the blocks. An entry's number is the index of its block.
    package var entries: [Section: [BlockEntry]] {
        blocks.mapValues { blocks in
            blocks.enumerated().map { index, block in
                BlockEntry(number: Int64(index), first: block.first, last: block.last, events: block.count)
            }
        }
    }

    /// The events of a range of ids. Sorted.
    package func events(in range: SectionRange) throws(EventBlockError) -> [Event] {
        var events: [Event] = []
        for entry in (entries[range.section] ?? []).holding(range) {
            var found: [Event] = []
            try blocks[range.section]?[Int(entry.number)].decode(appendingTo: &found)
            events += found.lazy.filter { range.holds($0.id) }
        }
        return events
    }
}

// MARK: The file

extension SharedMessages {
    /// The bytes of the file.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ text: String) {
            append(UInt16(truncatingIfNeeded: text.utf8.count))
            bytes += text.utf8
        }
        append(version)
        for (section, blocks) in blocks.sorted(by: { $0.key < $1.key }) {
            append(section.idSpace)
            append(section.kind.rawValue)
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
    /// - Parameter hash: the hash of the bytes in push.db.
    package init?(bytes: [UInt8], hash: String, version: String) {
        guard bytes.count > 8, SharedMessages.hash(of: bytes) == hash,
            WordHash.of(bytes.span.extracting(8..<bytes.count)).hexDigits == hash
        else { return nil }
        // The hash matches, so the bytes are as they were written.
        var reader = Reader(bytes: bytes, offset: 8)
        guard reader.text() == version else { return nil }
        self.init(version: version)
        while !reader.isAtEnd {
            let idSpace = reader.text()
            guard let kind = Section.Kind(rawValue: reader.number(UInt8.self)) else { return nil }
            let blocks = (0..<reader.number(UInt32.self)).map { _ in reader.block() }
            self.blocks[Section(idSpace: idSpace, kind: kind)] = blocks
        }
    }

    /// The hash that the bytes of a file begin with, in hexadecimal digits.
    package static func hash(of bytes: [UInt8]) -> String {
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
            let first = id()
            let last = id()
            let count = Int(number(UInt32.self))
            return EventBlock(first: first, last: last, count: count, bytes: Array(take(Int(number(UInt32.self)))))
        }

        private mutating func id() -> EventID { EventID(high: number(UInt64.self), low: number(UInt64.self)) }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
            offset += count
            return bytes[(offset - count)..<offset]
        }
    }
}
