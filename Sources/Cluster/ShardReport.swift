import Counting
import Warehouse

/// What a shard reports after its partitions are written.
struct ShardReport: Codable, Sendable {
    /// A log date that was loaded.
    struct LoadedDate: Codable, Sendable {
        let logDate: Int32
        let content: Manifest.Shard
        /// The number of events, by the index of the source and by day.
        let days: [Int: [Int: Int]]
        /// The number of events, by the numbers of source and action.
        let actions: [Int: [Int: Int]]
    }

    let dates: [LoadedDate]
    /// The sums over the shard's partitions, by day.
    let days: [Int: DayDigest]

    init(dates: [LoadedDate], days: [Int32: DayDigest]) {
        self.dates = dates
        self.days = Dictionary(uniqueKeysWithValues: days.map { (Int($0), $1) })
    }
}
