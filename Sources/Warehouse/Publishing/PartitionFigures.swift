import Counting

/// The figures of a partition.
struct PartitionFigures: Sendable {
    let cache: PartitionCache
    /// Nil if this process has not computed them. They can be computed from the cache.
    let tables: DailyTables?
}
