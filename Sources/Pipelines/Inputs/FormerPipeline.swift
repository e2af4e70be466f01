import Calendar

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

extension LogDateState {
    /// Whether all its files are there.
    package var canBeLoadedAgain: Bool { files > 0 && !isShrunk && searchFailure == nil }
}
