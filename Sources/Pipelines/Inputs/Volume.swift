import Calendar
import Messages
import Output
import Partitions
import Records

/// The loads of the same weekday in the four weeks before a log date, the latest first. A load's volume is compared with theirs.
struct FormerWeeks {
    /// Version and outcomes are nil for a log date that is not loaded, or whose partition cannot be read.
    private let loads: [(date: LogDate, version: String?, outcomes: () -> [OutcomeCount]?)]

    static func dates(before date: LogDate) -> [LogDate] { (1...4).map { date.adding(days: -7 * $0) } }

    init(before date: LogDate, in output: OutputFolder) {
        loads = FormerWeeks.dates(before: date).map { date in
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
    package func partition(of date: LogDate) -> Partition? {
        let logDate = Int32(date.dayNumber)
        let partition = try? Partition(accountsOf: logDate, folder: self)
        return partition?.path == partitionPath(logDate) && PartitionDamage(of: logDate, in: self) != nil
            ? nil : partition
    }
}

/// A source of a log date that has less than half or more than twice the records that are usual on that weekday. Those that
/// are `not_tracking` are not counted. It is stored with the held load.
package struct VolumeDeviation: Hashable, Codable, Sendable {
    /// What the source had on an earlier log date.
    package struct Former: Hashable, Codable, Sendable {
        /// Days since 1970-01-01.
        private let dayNumber: Int
        let records: Int

        var date: LogDate { LogDate(dayNumber: dayNumber) }

        init(_ date: LogDate, records: Int) {
            dayNumber = date.dayNumber
            self.records = records
        }
    }

    /// A source with a lower median is not judged.
    private static let leastMedian = 1000

    let source: String
    let records: Int
    /// Of the same weekday in the weeks before, the latest first; two to four.
    let former: [Former]

    /// Nil if the source has about as many records as usual, or if it is not known what is usual: that takes two log dates.
    init?(source: String, records: Int, former: [Former]) {
        self.source = source
        self.records = records
        self.former = former
        let twice = twiceMedian
        guard former.count >= 2, twice >= 2 * VolumeDeviation.leastMedian, 4 * records < twice || records > twice
        else { return nil }
    }

    /// Twice the median of the former numbers: a whole number, so that comparisons are exact. Of two in the middle the median
    /// is the mean.
    private var twiceMedian: Int {
        let sorted = former.map(\.records).sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
    }

    /// `source 'adobe': 712 records, less than half of 1,500, the median of the same weekday before (2026-11-12: 1,480, …)`
    var text: MessageText {
        let former = former.map { "\($0.date): \(Text.number($0.records))" }.joined(separator: ", ")
        let median = Text.number((twiceMedian + 1) / 2)
        return """
            source '\(source)': \(Text.plural(records, "record")), \(isLow ? "less than half of" : "more than twice") \
            \(median), the median of the same weekday before (\(former); not_tracking left out)
            """
    }

    /// A warning of it, with what to look for.
    var message: Message {
        let advice = isLow ? "check that all of its files are there" : "check that nothing is there twice"
        // Such as: source 'adobe': 712 records, less than half of 1,500, the median of the same weekday before
        // (2026-11-12: 1,480, …; not_tracking left out); check that all of its files are there
        return Message("unusual_volume", "\(text); \(advice)")
    }

    private var isLow: Bool { 2 * records < twiceMedian }
}
