import Calendar
import Configuration
import Counting
import Messages
import Partitions
import Records

/// Finds loads that pass all checks and are still likely to be mistakes: no line fits the layout, no device is known,
/// or the times are of another year.
struct Plausibility {
    /// A source with fewer records is not judged.
    private static let fewest = 1000

    private let sources: [Source]
    private let date: LogDate
    /// The names of actions by their numbers.
    private let actions: [String]
    private let tallies: [FileTally]

    /// - Parameter tallies: by source index.
    init(of plan: LogDatePlan, tallies: [FileTally]) {
        sources = plan.pipeline.sources
        date = plan.date
        actions = plan.pipeline.actionNames
        self.tallies = tallies
    }

    /// Warnings about the records of each source.
    var ofRecords: [Message] {
        zip(sources, tallies).flatMap { source, tally in warnings(about: source, tally: tally) }
    }

    private func warnings(about source: Source, tally: FileTally) -> [Message] {
        // Of equal counts, rejects come before filtered records.
        let most = { (count: FileTally.Count) in (count.records, count.outcome == .rejected ? 1 : 0) }
        if tally.records >= Plausibility.fewest, tally.accepted == 0,
            let first = tally.counts.max(by: { most($0) < most($1) })
        {
            let keys = source.format == .collector ? "'layout' and 'dialect'" : "'layout', 'fields' and 'actions'"
            return [
                Message(
                    .nothingAccepted,
                    text: """
                        source '\(source.name)': none of \(Text.number(tally.records)) records was accepted (\(first.text)); check \
                        \(keys)
                        """)
            ]
        }
        var warnings: [Message] = []
        func warn(_ code: MessageCode, text: MessageText) { warnings.append(Message(code, text: text)) }
        let outside = tally.count(FilterReason.outOfWindow)
        let timed = outside + tally.accepted
        if timed >= Plausibility.fewest, outside > 0, Plausibility.isMost(outside, of: timed) {
            warn(
                .implausibleTimes,
                text: """
                    source '\(source.name)': \(Text.number(outside)) of \(Text.number(timed)) times cannot be right; check \
                    'times', and 'files'
                    """)
        }
        guard tally.accepted >= Plausibility.fewest else { return warnings }
        if tally.allAgentsUnknown {
            warn(
                .unknownPlatforms,
                text: """
                    source '\(source.name)': no platform in \(Text.number(tally.accepted)) user agents; check where 'layout' has them
                    """)
        }
        if Plausibility.isMost(tally.clockFallback, of: tally.accepted) {
            warn(
                .implausibleTimes,
                text: """
                    source '\(source.name)': \(Text.number(tally.clockFallback)) of \(Text.number(tally.accepted)) times cannot be \
                    right; check 'time' in 'fields', and 'files'
                    """)
        }
        return warnings
    }

    /// Warnings about the events of each source. Events up to a day before or after the log date are plausible.
    func ofEvents(_ events: ActionCounts) -> [Message] {
        let days = events.eventsBySourceAndDay
        let actions = events.eventsBySourceAndAction
        let unknown = events.unknownBySourceAndAction
        return sources.indices.filter { tallies[$0].accepted >= Plausibility.fewest }.flatMap { source in
            [
                distantEvents(of: source, days: days[source] ?? [:]),
                unknownSends(of: source, events: actions[source] ?? [:], unknown: unknown[source] ?? [:]),
            ].compactMap { $0 }
        }
    }

    /// - Parameter days: the number of events by day.
    private func distantEvents(of source: Int, days: [LogDate: Int]) -> Message? {
        let events = days.values.reduce(0, +)
        let distant = days.filter { !$0.key.isWithin(1, of: date) }.values.reduce(0, +)
        guard events > 0, Plausibility.isMost(distant, of: events) else { return nil }
        return Message(
            .distantEvents,
            text: """
                source '\(sources[source].name)': \(Text.number(distant)) of \(Text.number(events)) events lie a day or more \
                outside the log date; check 'files'
                """)
    }

    /// Warns if most sends have no platform although opens have one. A message has the platform of its first event, so
    /// its open would count without a platform too.
    /// - Parameters:
    ///   - events: the number of events by action.
    ///   - unknown: the number of these events without a known platform.
    private func unknownSends(of source: Int, events: [Int: Int], unknown: [Int: Int]) -> Message? {
        func count(_ action: String) -> (all: Int, unknown: Int) {
            actions.firstIndex(of: action).map { (events[$0] ?? 0, unknown[$0] ?? 0) } ?? (0, 0)
        }
        let sent = count("sent")
        let opens = count("open")
        guard sent.all > 0, Plausibility.isMost(sent.unknown, of: sent.all), opens.all > 0,
            !Plausibility.isMost(opens.unknown, of: opens.all)
        else { return nil }
        return Message(
            .unknownSends,
            text: """
                source '\(sources[source].name)': \(Text.number(sent.unknown)) of \(Text.number(sent.all)) sends have no platform, \
                opens have; check 'platform'
                """)
    }

    /// Whether `part` is at least nine tenths of `all`.
    private static func isMost(_ part: Int, of all: Int) -> Bool { part * 10 >= all * 9 }
}

extension FileTally.Count {
    /// `malformed_line, logs/a.log:1`
    fileprivate var text: MessageText {
        let place: MessageText = first.map { ", \(path: $0.path):\($0.line)" } ?? ""
        return "\(reason)\(place)"
    }
}
