import Counting

/// A partition's figures.
struct PartitionFigures: Sendable {
    let cache: PartitionCache
    /// Nil where they have not been computed by this process; they follow from the cache.
    let tables: DailyTables?
}
