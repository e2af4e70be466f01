/// An event of one record in 24 bytes: its id, and its detail in one word.
///
/// The detail is, from the lowest bit: the time since the earliest time of the buffer, the platform, the action, the
/// source and the delivery. Each field has as many bits as its largest value in the buffer needs. Example: 32 bits of
/// time, 2 of platform, 3 of action, 1 of source and 12 of delivery are 50 bits.
struct CompactEvent: BitwiseCopyable, Sendable {
    let id: EventID
    let detail: UInt64
}
