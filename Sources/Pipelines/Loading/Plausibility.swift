import Calendar
import Configuration
import Partitions

/// Finds loads that pass all checks and are still likely to be mistakes: no line fits the layout, no device is known, or the
/// times are of another year.
struct Plausibility {
    /// A source with fewer records is not judged.
    private static let fewest = 1000

    private let sources: [Source]
    private let date: LogDate
    /// By source index.
    private var tallies: [FileTally]

    init(_ plan: LogDatePlan, _ results: [FileResult]) {
        sources = plan.pipeline.sources
        date = plan.date
        tallies = Array(repeating: FileTally(), count: sources.count)
        for result in results { tallies[result.file.source] += result.tally }
    }

    /// Warnings about the records of each source.
    var ofRecords: [LogDateReport.Warning] {
        zip(sources, tallies).flatMap { source, tally in warnings(source, tally) }
    }

    private func warnings(_ source: Source, _ tally: FileTally) -> [LogDateReport.Warning] {
        // Of equal numbers, that of rejects.
        let most = { (count: FileTally.Count) in (count.records, count.outcome == .rejected ? 1 : 0) }
        if tally.records >= Plausibility.fewest, tally.accepted == 0,
            let first = tally.counts.max(by: { most($0) < most($1) })
        {
            return [.nothingAccepted(source: source.name, records: tally.records, first: first)]
        }
        guard tally.accepted >= Plausibility.fewest else { return [] }
        var warnings: [LogDateReport.Warning] = []
        if tally.allAgentsUnknown {
            warnings.append(.unknownPlatforms(source: source.name, accepted: tally.accepted))
        }
        if Plausibility.isMost(tally.clockFallback, of: tally.accepted) {
            warnings.append(
                .implausibleTimes(source: source.name, fallbacks: tally.clockFallback, accepted: tally.accepted))
        }
        return warnings
    }

    /// Warnings about the events' days. An event within 24 hours of the log date is on that day or on a day next to it.
    /// - Parameter days: the number of events, by source index and day.
    func ofEvents(_ days: [Int: [Int: Int]]) -> [LogDateReport.Warning] {
        sources.indices.compactMap { index in
            guard tallies[index].accepted >= Plausibility.fewest, let days = days[index],
                let first = days.keys.min(), let last = days.keys.max()
            else { return nil }
            let events = days.values.reduce(0, +)
            let distant = days.filter { abs($0.key - date.dayNumber) > 1 }.values.reduce(0, +)
            guard Plausibility.isMost(distant, of: events) else { return nil }
            return .distantEvents(
                source: sources[index].name, distant: distant, events: events,
                days: LogDate(dayNumber: first)...LogDate(dayNumber: last))
        }
    }

    /// Nine in ten.
    private static func isMost(_ part: Int, of all: Int) -> Bool { part * 10 >= all * 9 }
}
