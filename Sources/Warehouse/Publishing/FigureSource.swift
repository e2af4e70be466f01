import Counting

/// Where the figures of the days come from.
protocol FigureSource: Sendable {
    /// The sums over all partitions, by day.
    var digests: [Int32: DayDigest] { get }

    /// Loads what the tables of these days need.
    mutating func prepare(_ days: Set<Int32>) throws(WarehouseError)

    /// The tables of some prepared days, and the names of their numbers. Several threads may call it.
    func tables(of days: [Int32]) throws(WarehouseError) -> (CombinedTables, GlobalNames)
}
