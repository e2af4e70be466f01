import Calendar
import Counting
import Events
import Foundation

/// Merges pieces, one after the other, on one thread. It owns all its buffers.
struct PieceWorker: Sendable {
    private(set) var events = 0
    private(set) var records = 0
    /// The standalone tables of all its pieces.
    private(set) var tables: StandaloneTables
    private var days: DayClock
    private var encoder = EventBlockEncoder()

    init(_ names: EventNames, zone: TimeZone) {
        tables = StandaloneTables(names)
        days = DayClock(zone: zone)
    }

    mutating func merge(_ piece: RunMerger.Piece, of merger: RunMerger, _ section: Section) throws -> MergedPiece {
        var merged = MergedPiece(section: section)
        try merger.merge(piece) { chunk in
            events += chunk.count
            for index in chunk.indices { records += Int(chunk[index].records) }
            tables.add(chunk, days: &days)
            merged.blocks.append(encoder.encode(chunk))
        }
        tables.endMessage(days: &days)
        return merged
    }

    mutating func finish() {
        tables.flush()
    }
}
