import Counting
import Warehouse

/// The figures of days as they were added up over the shards.
struct AddedFigures: FigureSource {
    /// The sums over all shards, of all days.
    let digests: [Int32: DayDigest]
    /// The rows of the days that change.
    let days: [Int32: [FigurePart]]
    /// The path of push.db, for errors.
    let path: String

    /// - Throws: `.replaced` if the figures of a day are missing, since push.db is not as it was.
    func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        guard days.allSatisfy({ self.days[$0] != nil || digests[$0] == nil }) else { throw .replaced(path: path) }
        return days.sorted().flatMap { self.days[$0] ?? [] }
    }
}
