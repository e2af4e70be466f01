// Types of this module are public, and not `package`, if other modules create or compare millions of them. The compiler
// inlines public code into other modules, but not `package` code, even with @inlinable.

/// One (broadlogId, action) of a section: its earliest record, and the number of its records.
///
/// `source`, `action` and `delivery` are indices into tables that accompany the events. Sources are in the order of the
/// pipeline file. In a written partition, actions and deliveries are sorted by the bytes of their texts.
public struct Event: BitwiseCopyable, Sendable {
    /// The id of the message.
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    public var delivery: UInt32
    /// The number of records of this (broadlogId, action), at least 1.
    public var records: UInt32
    public var source: UInt16
    public var action: UInt16
    public var platform: Platform

    @inlinable @inline(__always)
    public init(
        id: EventID, time: Int64, delivery: UInt32, records: UInt32 = 1, source: UInt16, action: UInt16,
        platform: Platform
    ) {
        self.id = id
        self.time = time
        self.delivery = delivery
        self.records = records
        self.source = source
        self.action = action
        self.platform = platform
    }
}

extension Span<Event> {
    /// Whether the events are sorted by (id, action), with one event for each.
    package var isSorted: Bool {
        for index in indices.dropFirst() {
            let a = self[index - 1]
            let b = self[index]
            guard a.id < b.id || a.id == b.id && a.action < b.action else { return false }
        }
        return true
    }
}

/// Returns the first index in `range` that is not before a searched element, or the end of the range.
///
/// `isBefore` must be true for all indices up to that one and false from there on.
@inline(__always)
package func firstIndex(in range: Range<Int>, whereNot isBefore: (Int) -> Bool) -> Int {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper {
        let middle = (lower + upper) / 2
        if isBefore(middle) { lower = middle + 1 } else { upper = middle }
    }
    return lower
}
