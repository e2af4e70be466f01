// A compact item is an event of one record in as few bytes as its buffer allows: its id, and its detail in one word.
//
//   type     bytes  id                 used for
//   Short       12  low - lowest       hexadecimal ids within 2^32 of each other, as the ids of a month are
//   Wide        24  high, low          other hexadecimal ids, UUIDs and digests
//   Event       40  high, low          buffers with details that do not fit one word, because their times are far apart
//
// The detail is, from the lowest bit: the time since the earliest time of the buffer, the platform, the action, the
// source and the delivery. Each field has as many bits as its largest value in the buffer needs. Example: 32 bits of
// time, 2 of platform, 3 of action, 1 of source and 12 of delivery are 50 bits.

/// An event of one record in a compact run.
protocol CompactItem: BitwiseCopyable, Sendable {
    init(_ event: Event, _ layout: DetailLayout)
    func id(_ layout: DetailLayout) -> EventID
    func event(_ layout: DetailLayout) -> Event
}

extension Event: CompactItem {
    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) { self = event }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { self }
}
