import Events
import Foundation
import Warehouse

/// The events of a range of ids, joined and packed, and what they come to.
struct MergedPiece: Sendable {
    /// Events of a piece before joining, roughly.
    static let wantedEvents = 1 << 17

    private(set) var blocks: [EventBlock] = []
    private(set) var figures: AloneFigures
    private(set) var events = 0
    private(set) var records = 0

    init(_ piece: RunMerger.Piece, of merger: RunMerger, names: EventNames, zone: TimeZone) throws {
        figures = AloneFigures(names)
        var days = DayClock(zone: zone)
        var encoder = EventBlockEncoder()
        try merger.merge(piece) { chunk in
            events += chunk.count
            for index in chunk.indices { records += Int(chunk[index].records) }
            figures.add(chunk, days: &days)
            blocks.append(encoder.encode(chunk))
        }
        figures.endMessage()
    }
}
