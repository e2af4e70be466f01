// A block is up to a few thousand events, sorted by (id, action), with the columns apart and bit-packed:
//
//   offset  bytes  what
//        0      8  hash of all that follows
//        8      4  number of events, n
//       12      4  number of messages (different ids), m
//       16      1  1 if ids are 128 bits wide, else 0
//       17      1  milliseconds a step of the time column: 0 is 1 ms, 1 is 1,000 ms
//       18     10  widths in bits: id high, id low, delivery, source, platform, action, time, records, positions, (0)
//       28      4  number of changes of detail, d
//       32      4  number of events with more than one record, r
//       36     16  id of the first message: high, low
//       52      8  earliest time
//       60      4  lowest delivery
//       64         columns: n bits "begins a message"; n bits "detail differs from the event before";
//                  m−1 steps of the id (high, then low: the step where the width of high is 0, else the low word);
//                  d deliveries, d sources, d platforms; n actions; n times;
//                  r positions, r records beyond the first
//                  8 bytes of padding
//
// Easy data needs some 4 bytes an event so, a decoder a few nanoseconds.

/// A few thousand sorted events, as they are stored in memory, in spill files and in partitions.
package struct EventBlock: Sendable {
    /// The most events that one block holds.
    package static let capacity = EventBlockHeader.mostEvents

    package let first: EventID
    package let last: EventID
    package let count: Int
    package let bytes: [UInt8]

    package init(first: EventID, last: EventID, count: Int, bytes: [UInt8]) {
        self.first = first
        self.last = last
        self.count = count
        self.bytes = bytes
    }
}
