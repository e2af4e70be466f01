import Events
import Foundation
import Warehouse

/// The events of a range of ids, joined and packed, and what they come to a day.
struct MergedPiece: Sendable {
    /// Events of a piece before joining, roughly.
    static let wantedEvents = 1 << 18

    private(set) var blocks: [EventBlock] = []
    private(set) var daily = DailyActions()
    private(set) var events = 0
    private(set) var records = 0

    init(_ piece: RunMerger.Piece, of merger: RunMerger, zone: TimeZone) throws {
        var days = DayCache(zone: zone)
        var encoder = EventBlockEncoder()
        var waiting: [Event] = []
        waiting.reserveCapacity(2 * EventBlock.capacity)
        try merger.merge(piece) { chunk in
            events += chunk.count
            for index in chunk.indices {
                records += Int(chunk[index].records)
                waiting.append(chunk[index])
            }
            daily.add(alone: chunk, days: &days)
            if waiting.count >= EventBlock.capacity {
                blocks.append(encoder.encode(waiting.span.extracting(0..<EventBlock.capacity)))
                waiting.removeFirst(EventBlock.capacity)
            }
        }
        if !waiting.isEmpty { blocks.append(encoder.encode(waiting.span)) }
    }
}
