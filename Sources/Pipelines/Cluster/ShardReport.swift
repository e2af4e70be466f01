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
        /// The number of events, by the index of the source and by day.
        let days: [UInt16: [Int32: Int]]
    }

    let shard: Int
    let dates: [LoadedDate]
    /// The sums over the shard's partitions, by day.
    let digests: [Int32: DayDigest]

    var bytes: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }

    init(shard: Int, dates: [LoadedDate], digests: [Int32: DayDigest]) {
        self.shard = shard
        self.dates = dates
        self.digests = digests
    }

    /// - Throws: `ClusterError.damagedFrame`.
    init(bytes: [UInt8]) throws(ClusterError) {
        guard let report = try? JSONDecoder().decode(ShardReport.self, from: Data(bytes)) else { throw .damagedFrame }
        self = report
    }
}
