import Calendar
import Messages

/// Log dates that were loaded with another pipeline file, or by earlier rules of reading.
package struct FormerPipeline: Sendable {
    /// Those that can be loaded again: all their files are there. A range holds no other log date that is loaded.
    package private(set) var loadable: [ClosedRange<LogDate>] = []
    /// How many can be loaded again.
    package private(set) var loadableDates = 0
    /// How many cannot.
    package private(set) var others = 0

    /// - Parameters:
    ///   - states: of these log dates and perhaps of others.
    ///   - loaded: all log dates that are loaded.
    package init?(_ states: [LogDateState], loaded: some Sequence<LogDate>) {
        let former = states.filter(\.isOfFormerPipeline)
        guard !former.isEmpty else { return nil }
        let dates = former.filter(\.canBeLoadedAgain).map(\.date).sorted()
        loadableDates = dates.count
        others = former.count - dates.count
        let barriers = Set(loaded).subtracting(dates)
        for date in dates {
            if let last = loadable.last, !barriers.contains(where: { last.upperBound < $0 && $0 < date }) {
                loadable[loadable.count - 1] = last.lowerBound...date
            } else {
                loadable.append(date...date)
            }
        }
    }
}

extension FormerPipeline {
    /// What to do about them. Those that cannot be loaded again are told apart.
    ///
    /// - Parameter isNew: whether this pipeline file has just taken the place of another.
    package func messages(isNew: Bool = true) -> [Message] {
        let origin = "with another pipeline file, or by earlier rules of reading,"
        var messages: [Message] = []
        if loadableDates > 0 {
            let ranges: MessageText = loadable.few { range in
                range.lowerBound == range.upperBound
                    ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            }
            let commands = loadable.prefix(3).map { "'\(FormerPipeline.command($0))'" }.joined(separator: ", ")
            let more = loadable.count - 3
            messages.append(
                Message(
                    "former_pipeline",
                    """
                    \(Text.plural(loadableDates, "log date")) \(loadableDates == 1 ? "was" : "were") loaded \(origin) and can \
                    be loaded again: \(ranges); \(commands)\(more > 0 ? ", and the same for \(more) more ranges" : "")
                    """))
        }
        if others > 0, loadableDates > 0 || isNew {
            messages.append(
                Message(
                    "former_pipeline_kept",
                    """
                    \(Text.plural(others, "log date")) \(others == 1 ? "was" : "were") loaded \(origin) and cannot be loaded \
                    again, since files are gone; the figures stay
                    """))
        }
        return messages
    }

    private static func command(_ dates: ClosedRange<LogDate>) -> String {
        dates.lowerBound == dates.upperBound
            ? "pushetl run --date \(dates.lowerBound)"
            : "pushetl backfill --from \(dates.lowerBound) --to \(dates.upperBound) --only all"
    }
}

extension LogDateState {
    /// Whether all its files are there.
    package var canBeLoadedAgain: Bool { files > 0 && !isShrunk && searchFailure == nil }
}
