import Counting

/// Figures of several sources that add up.
struct JoinedFigureSource: FigureSource {
    private var sources: [any FigureSource]
    let digests: [Int32: DayDigest]

    init(_ sources: [any FigureSource]) {
        self.sources = sources
        digests = sources.reduce(into: [:]) { sums, source in
            for (day, digest) in source.digests { sums[day, default: DayDigest()] += digest }
        }
    }

    mutating func parts(of days: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        var parts: [FigurePart] = []
        for index in sources.indices { parts += try sources[index].parts(of: days) }
        return parts
    }
}
