import Reference

/// The loads of each log date that the output may hold. After most commands it is one. After a kill it may be the former or
/// the new one; after damage or the return of an older file it may be any, or none.
struct AcceptedLoads {
    /// A load of a log date; `partition` is nil if the output has none.
    struct Load {
        let number: Int
        let partition: Partition?
    }

    private var possible: [Day: [Load]] = [:]
    private var former: [Day: [Load]] = [:]
    private var count = 0
    /// Log dates whose partition somebody has changed since it was loaded.
    private(set) var tampered: Set<Day> = []

    /// All that may be there, never empty.
    func loads(of date: Day) -> [Load] { possible[date] ?? [Load(number: 0, partition: nil)] }

    /// Whether it is known what is there.
    func isKnown(_ date: Day) -> Bool { loads(of: date).count == 1 && !tampered.contains(date) }

    /// The partition that is known to be there; nil if there is none, or if it is not known.
    func standing(_ date: Day) -> Partition? { isKnown(date) ? loads(of: date)[0].partition : nil }

    /// Whether a log date was loaded, and only with pipelines that read records otherwise. The order of the sources does not matter.
    func areOfOthers(than pipeline: Pipeline, on date: Day) -> Bool {
        func sources(_ pipeline: Pipeline) -> [Pipeline.Source] { pipeline.sources.sorted { $0.name < $1.name } }
        let former = loads(of: date).compactMap(\.partition)
        return !former.isEmpty && former.allSatisfy { sources($0.pipeline) != sources(pipeline) }
    }

    mutating func accept(_ partition: Partition, of date: Day) {
        possible[date] = [add(partition, date)]
        tampered.remove(date)
    }

    mutating func mayHaveAccepted(_ partition: Partition, of date: Day) {
        possible[date] = loads(of: date) + [add(partition, date)]
    }

    /// - Parameter isClosed: whether its figures can no longer become others.
    mutating func tamper(with date: Day, isClosed: Bool = false) {
        possible[date] = (isClosed ? loads(of: date) : former[date] ?? []) + [Load(number: 0, partition: nil)]
        tampered.insert(date)
    }

    /// Its figures are given up, or its load was as good as that before.
    mutating func settle(_ date: Day, _ partition: Partition?) {
        possible[date] = partition.map { loads(of: date) + [add($0, date)] } ?? [Load(number: 0, partition: nil)]
        tampered.remove(date)
    }

    /// The output was found to hold this one. A changed partition may still turn out to be damaged later.
    mutating func resolve(_ date: Day, _ load: Load) {
        if !tampered.contains(date) { possible[date] = [load] }
    }

    private mutating func add(_ partition: Partition, _ date: Day) -> Load {
        count += 1
        let load = Load(number: count, partition: partition)
        former[date, default: []].append(load)
        return load
    }
}
