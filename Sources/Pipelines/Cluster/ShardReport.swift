import Counting
import Events
import Foundation
import Warehouse

/// What a shard reports after its partitions are written.
struct ShardReport: Codable, Sendable {
    /// A log date that was loaded.
    struct LoadedDate: Codable, Sendable {
        let logDate: Int32
        let content: Manifest.Shard
        let days: [SourceDay]
    }

    /// The events of a source on a day.
    struct SourceDay: Codable, Sendable {
        /// The index of the source.
        let source: UInt16
        let day: Int32
        let events: Int
    }

    /// The sum over the shard's partitions for a day.
    struct Day: Codable, Sendable {
        let day: Int32
        let digest: DayDigest
    }

    let shard: Int
    let dates: [LoadedDate]
    /// In the order of the days.
    let days: [Day]

    var bytes: [UInt8] {
        get throws { try Documents.bytes(self) }
    }

    init(shard: Int, dates: [LoadedDate], digests: [Int32: DayDigest]) {
        self.shard = shard
        self.dates = dates
        days = digests.sorted { $0.key < $1.key }.map { Day(day: $0, digest: $1) }
    }

    /// - Throws: `ClusterError.damagedFrame`.
    init(bytes: [UInt8]) throws(ClusterError) {
        guard let report = try? JSONDecoder().decode(ShardReport.self, from: Data(bytes)) else { throw .damagedFrame }
        self = report
    }
}

extension [ShardReport.SourceDay] {
    /// The counts by the index of the source and by day, in that order.
    init(_ counts: [UInt16: [Int32: Int]]) {
        self = counts.sorted { $0.key < $1.key }.flatMap { source, days in
            days.sorted { $0.key < $1.key }.map { Element(source: source, day: $0, events: $1) }
        }
    }
}
