import Counting

/// Where the figures of the days come from.
package protocol FigureSource: Sendable {
    /// The sums over all partitions, by day.
    var digests: [Int32: DayDigest] { get }

    /// The rows of these days; rows of other days may be among them. They add up, since no message is in two parts.
    mutating func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart]
}
