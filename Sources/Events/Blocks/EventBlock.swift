// The format of an event block: up to 4,096 events, sorted by (id, action), stored by column and bit-packed. Integers
// are little-endian.
//
//   offset  bytes  content
//        0      8  WordHash of all following bytes
//        8      4  number of events, n
//       12      4  number of messages (different ids), m
//       16      1  1 if any id uses its high word, else 0
//       17      1  unit of the time column: 0 for 1 ms, 1 for 1,000 ms
//       18     10  widths in bits: id high, id low, delivery, source, platform, action, time, extra records,
//                  repeated index, (0)
//       28      4  number of changes of detail, d
//       32      4  number of events with more than one record, r
//       36     16  id of the first message: high, low
//       52      8  earliest time
//       60      4  lowest delivery
//       64         the columns:
//                  n bits: the event begins a message
//                  n bits: the event's detail (delivery, source, platform) differs from the event before
//                  m−1 high words of ids, as differences to the message before
//                  m−1 low words of ids: the words themselves if byte 16 is 1, else differences to the message before
//                  d deliveries, as differences to the lowest; d sources; d platforms
//                  n actions; n times, as differences to the earliest
//                  r indices of events with more than one record; r numbers of records beyond the first
//                  8 bytes of padding
//
// The logs of `loggen --preset easy` need about 4 bytes per event. Decoding takes a few nanoseconds per event.

/// Up to `capacity` sorted events in encoded form, as in memory, in spill files and in partitions.
package struct EventBlock: Sendable {
    /// The largest number of events in a block.
    package static let capacity = EventBlockHeader.mostEvents
    /// No block has more bytes: all events with a message, a change of detail and repeated records of their own, and
    /// all values with 64 bits. What is longer need not be read.
    package static let maxBytes = EventBlockHeader.size + capacity * 9 * 8 + 2 * capacity / 8 + 8

    /// The id of the first event.
    package let first: EventID
    /// The id of the last event.
    package let last: EventID
    /// The number of events.
    package let count: Int
    /// The encoded events.
    package let bytes: [UInt8]

    /// A block that was read from a file. The bytes are checked when they are decoded.
    package init(first: EventID, last: EventID, count: Int, bytes: [UInt8]) {
        self.first = first
        self.last = last
        self.count = count
        self.bytes = bytes
    }
}

extension Sequence where Element == EventBlock {
    /// Whether each begins where the one before has ended, or later. A message may be in two of them.
    package var areSorted: Bool {
        var last: EventID?
        return allSatisfy { block in
            defer { last = block.last }
            return last.map { $0 <= block.first } ?? true
        }
    }
}
