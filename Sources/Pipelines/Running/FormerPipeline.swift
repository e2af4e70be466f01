import Calendar
import Messages

/// Log dates that were loaded with another pipeline file, or by earlier rules of reading or of the zone.
package struct FormerPipeline: Sendable {
    /// The ranges of these log dates that can be loaded again, since all their files exist. A range holds no other
    /// loaded log date.
    let loadable: [ClosedRange<LogDate>]
    /// The number of log dates that can be loaded again.
    let loadableDates: Int
    /// The number of log dates that cannot be loaded again.
    package let others: Int

    /// - Parameters:
    ///   - states: the states of these log dates. Others may be among them.
    ///   - loaded: all log dates that are loaded.
    package init?(_ states: [LogDateState], loaded: some Sequence<LogDate>) {
        let former = states.filter { $0.isOfFormerPipeline && $0.held == nil }
        guard !former.isEmpty else { return nil }
        let dates = Set(former.filter(\.canBeLoadedAgain).map(\.date))
        loadableDates = dates.count
        others = former.count - dates.count
        assert(dates.isSubset(of: loaded))
        loadable = loaded.sorted().split { !dates.contains($0) }.map { $0[$0.startIndex]...$0[$0.endIndex - 1] }
    }
}

extension FormerPipeline {
    /// A message about the log dates that can be loaded again, and one about those that cannot.
    package var messages: [Message] { [again, kept].compactMap { $0 } }

    private var again: Message? {
        guard loadableDates > 0 else { return nil }
        let commands = Remedy(options: " --only all").commands(for: loadable)
        return Message(
            .formerPipeline,
            text: """
                \(Text.plural(loadableDates, of: "log date")) \(loadableDates == 1 ? "was" : "were") loaded with another pipeline file, or \
                by earlier rules of reading or of the zone, and can be loaded again: \(commands)
                """)
    }

    /// The message about the log dates that cannot be loaded again; nil if there are none.
    package var kept: Message? {
        guard others > 0 else { return nil }
        return Message(
            .formerPipelineKept,
            text: """
                \(Text.plural(others, of: "log date")) \(others == 1 ? "was" : "were") loaded with another pipeline file, or by earlier \
                rules of reading or of the zone, and cannot be loaded again, since the pipeline does not find all files; the figures stay
                """)
    }
}
