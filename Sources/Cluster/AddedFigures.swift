import Counting
import Warehouse

/// The figures of days as they were added up over the shards.
struct AddedFigures: FigureSource {
    /// The sums over all shards, of all days.
    private(set) var digests: [Int32: DayDigest]
    /// The rows of the days that change.
    private(set) var days: [Int32: [FigurePart]]
    /// The path of push.db, for errors.
    let path: String

    /// Leaves out log dates that have settled. They add these sums to the days.
    mutating func leaveOut(_ settled: [Int32: [Int32: DayDigest]]) {
        for (day, digest) in settled.values.joined() { digests[day]?.subtract(digest) }
        digests = digests.filter { $0.value.hasRows }
        days = days.mapValues { parts in parts.filter { settled[$0.logDate] == nil } }
    }

    /// - Throws: `.replaced` if the figures of a day are missing, since push.db is not as it was.
    func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        guard days.allSatisfy({ self.days[$0] != nil || digests[$0] == nil }) else { throw .replaced(path: path) }
        return days.sorted().flatMap { self.days[$0] ?? [] }
    }
}
