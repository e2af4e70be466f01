import Calendar
import Messages

/// A source of a log date that has far fewer or far more records than is usual on that weekday, or a platform's action that
/// has such events. Records that are `not_tracking` are not counted.
package struct VolumeDeviation: Hashable, Codable, Sendable {
    /// What the source had on an earlier log date.
    package struct Former: Hashable, Codable, Sendable {
        /// Days since 1970-01-01.
        private let dayNumber: Int
        package let records: Int

        package var date: LogDate { LogDate(dayNumber: dayNumber) }

        init(_ date: LogDate, records: Int) {
            dayNumber = date.dayNumber
            self.records = records
        }
    }

    /// A source with a lower median is not judged.
    private static let leastMedian = 1000

    /// Of events, the platform and the action.
    package let source: String
    /// Or events.
    package let records: Int
    /// Of the same weekday in the weeks before, the latest first; two to four.
    package let former: [Former]

    /// Nil if the source has about as many records as usual, or if it is not known what is usual: that takes two log dates,
    /// each within half and twice their median.
    init?(source: String, records: Int, former: [Former]) {
        self.source = source
        self.records = records
        self.former = former
        let twice = VolumeDeviation.twiceMedian(former)
        guard former.count >= 2, twice >= 2 * VolumeDeviation.leastMedian,
            former.allSatisfy({ VolumeDeviation.isWithin($0.records, twice) }),
            !(isEven ? VolumeDeviation.isClose(records, twice) : VolumeDeviation.isWithin(records, twice))
        else { return nil }
    }

    /// The median of the former numbers. Of two in the middle it is the mean, a half rounded up.
    package var median: Int { (VolumeDeviation.twiceMedian(former) + 1) / 2 }

    /// Whether the median lies within a tenth of each of the former numbers. Then the bounds are closer.
    package var isEven: Bool {
        let twice = VolumeDeviation.twiceMedian(former)
        return former.allSatisfy { 10 * abs(2 * $0.records - twice) <= 2 * $0.records }
    }

    /// Whether there are too few records, and not too many.
    package var isLow: Bool { records < median }

    /// A whole number, so that the comparisons are exact.
    private static func twiceMedian(_ former: [Former]) -> Int {
        let sorted = former.map(\.records).sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
    }

    /// Whether a number is neither below half of the median nor above twice the median.
    private static func isWithin(_ records: Int, _ twiceMedian: Int) -> Bool {
        4 * records >= twiceMedian && records <= twiceMedian
    }

    /// Whether a number is neither below two thirds of the median nor above one and a half times the median.
    private static func isClose(_ records: Int, _ twiceMedian: Int) -> Bool {
        3 * records >= twiceMedian && 4 * records <= 3 * twiceMedian
    }
}

extension VolumeDeviation {
    /// How many records a source has, and how many it had before:
    /// `source 'adobe': 712 records, less than half of 1,500, the median of the same weekday before (2026-11-12: 1,480, …)`
    var text: MessageText {
        "source '\(source)': \(Text.plural(records, "record")), \(usual); not_tracking left out)"
    }

    /// What it is warned of, with what to look for.
    var message: Message {
        let advice = isLow ? "check that all of its files are there" : "check that nothing is there twice"
        return Message("unusual_volume", "\(text); \(advice)")
    }

    /// `android impression: 507 events, less than half of 1,015, the median of the same weekday before (2026-11-12: 1,010, …)`
    var messageOfEvents: Message {
        Message("unusual_events", "\(source): \(Text.plural(records, "event")), \(usual))")
    }

    private var usual: String {
        let former = former.map { "\($0.date): \(Text.number($0.records))" }.joined(separator: ", ")
        let bound =
            switch (isLow, isEven) {
            case (true, false): "less than half of"
            case (true, true): "less than two thirds of"
            case (false, false): "more than twice"
            case (false, true): "more than one and a half times"
            }
        return "\(bound) \(Text.number(median)), the median of the same weekday before (\(former)"
    }
}
