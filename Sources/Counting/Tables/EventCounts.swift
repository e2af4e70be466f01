/// The events that count, and the records that are duplicates.
package struct EventCounts: Equatable, Sendable {
    package var events: Int
    package var duplicates: Int

    package init(events: Int = 0, duplicates: Int = 0) {
        self.events = events
        self.duplicates = duplicates
    }

    @inline(__always)
    static func += (sum: inout EventCounts, counts: EventCounts) {
        sum.events &+= counts.events
        sum.duplicates &+= counts.duplicates
    }
}
