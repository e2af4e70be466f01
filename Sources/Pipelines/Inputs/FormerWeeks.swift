import Calendar
import Output
import Partitions
import Records

/// The loads of the same weekday in the four weeks before a log date, the latest first.
package struct FormerWeeks {
    /// A load that was judged and is not installed yet.
    package struct Judged: Sendable {
        let version: String
        let outcomes: [OutcomeCount]

        package init(version: String, outcomes: [OutcomeCount]) {
            self.version = version
            self.outcomes = outcomes
        }
    }

    /// Version and outcomes are nil for a log date that is not loaded, or whose partition cannot be read.
    private let loads: [(date: LogDate, version: String?, outcomes: () -> [OutcomeCount]?)]

    static func dates(before date: LogDate) -> [LogDate] { (1...4).map { date.adding(days: -7 * $0) } }

    /// - Parameter judged: the loads of the same command that are not installed yet.
    package init(before date: LogDate, in output: OutputFolder, judged: [LogDate: Judged] = [:]) {
        loads = FormerWeeks.dates(before: date).map { date in
            if let load = judged[date] { return (date, load.version, { load.outcomes }) }
            let partition = output.partition(of: date)
            return (date, partition?.summary.version, { try? partition?.outcomes() })
        }
    }

    /// The versions of the loads.
    var versions: [String?] { loads.map(\.version) }

    /// The sources whose records are far fewer or far more than usual. `records` are the sources' names and numbers of
    /// records, without those that are `not_tracking`.
    func deviations(_ records: [(source: String, records: Int)]) -> [VolumeDeviation] {
        let known = loads.compactMap { date, _, outcomes in outcomes().map { (date, FormerWeeks.records($0)) } }
        return records.compactMap { source, records in
            let former = known.map { date, counts in VolumeDeviation.Former(date, records: counts[source] ?? 0) }
            return VolumeDeviation(source: source, records: records, former: former)
        }
    }

    /// The platforms' actions of a loaded log date that have far fewer or far more events than usual, whose loads must all be
    /// installed. None if the partition cannot be read.
    static func unusualEvents(of date: LogDate, in output: OutputFolder) -> [VolumeDeviation] {
        guard let events = output.events(of: date) else { return [] }
        let known = dates(before: date).compactMap { date in output.events(of: date).map { (date, $0) } }
        return Set(events.keys).union(known.flatMap(\.1.keys)).sorted().compactMap { name in
            let former = known.map { VolumeDeviation.Former($0, records: $1[name] ?? 0) }
            return VolumeDeviation(source: name, records: events[name] ?? 0, former: former)
        }
    }

    /// By source.
    private static func records(_ outcomes: [OutcomeCount]) -> [String: Int] {
        outcomes.reduce(into: [:]) { counts, count in
            guard count.outcome != .filtered || count.reason != FilterReason.notTracking.code else { return }
            counts[count.source, default: 0] += count.records
        }
    }
}

extension OutputFolder {
    /// What tells of a log date's load; nil if there is nothing, or if it cannot be read or is known to be damaged.
    func partition(of date: LogDate) -> Partition? {
        let logDate = Int32(date.dayNumber)
        let partition = try? Partition(accountsOf: logDate, folder: self)
        return partition?.path == partitionPath(logDate) && PartitionDamage(of: logDate, in: self) != nil
            ? nil : partition
    }

    /// The events of a loaded log date, by platform and action, as `android impression`; nil if they cannot be read.
    fileprivate func events(of date: LogDate) -> [String: Int]? {
        let logDate = Int32(date.dayNumber)
        guard let partition = partition(of: date) else { return nil }
        guard let manifest = try? manifest(of: logDate) else { return try? partition.eventsByPlatformAndAction() }
        var sums: [String: Int] = [:]
        for number in manifest.shards.indices {
            let shard = shard(number, versions: [logDate: manifest.version])
            guard let events = try? shard.partition(of: date)?.eventsByPlatformAndAction() else { return nil }
            sums.merge(events, uniquingKeysWith: +)
        }
        return sums
    }
}
