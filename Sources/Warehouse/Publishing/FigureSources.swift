/// What publishing knows of some partitions before it reads any event.
struct FigureSources: Sendable {
    private let sources: [Int: FigureSource]

    init(
        _ partitions: PartitionSet, _ places: [Int], _ means: PublicationMeans, withBlocks: Bool = true
    ) throws(WarehouseError) {
        let sum = SharedSum<[Int: FigureSource]>([:])
        means.fanout(places.count) { index in
            sum.add { () throws(WarehouseError) in
                let source = try FigureSource(try partitions.partition(places[index]), withBlocks: withBlocks)
                return { $0[places[index]] = source }
            }
        }
        sources = try sum.result()
    }

    /// Of a partition that was among the places.
    subscript(place: Int) -> FigureSource { sources[place] ?? FigureSource() }
}
