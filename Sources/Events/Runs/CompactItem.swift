// An event of one record in 12 to 32 bytes: its id, and the rest in one word or two.
//
//   Short    low - lowest        detail          hexadecimal ids that lie within 2^32 of one another, as a month's do
//   Narrow   low                 detail          other hexadecimal ids
//   Wide     high, low           detail          UUIDs and digests
//   Full     high, low           time, others    whatever does not fit
//
// A detail word has, from its lowest bit on, the time above the earliest one of the buffer, the platform, the action, the
// source and the delivery, each in as many bits as the largest of the buffer needs: 32 bits of time, 2, 3, 1 and 12
// make 50.

protocol CompactItem: BitwiseCopyable, Sendable {
    init(_ event: Event, _ layout: DetailLayout)
    func id(_ layout: DetailLayout) -> EventID
    func event(_ layout: DetailLayout) -> Event
    /// The id's key in the layout's range.
    func key(_ layout: DetailLayout) -> UInt64
    /// Whether its id is the lower one of two of the same layout.
    func precedes(_ other: Self) -> Bool
}
