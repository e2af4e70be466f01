import Calendar

/// What mends the log dates of a message: words, and mostly a command after them.
package struct Remedy: Hashable, Sendable {
    private enum Way {
        case load, giveUp
        /// No command does it.
        case byHand
    }

    private let before: MessageText
    private let options: String
    private var way = Way.load

    /// The command that loads the log dates.
    /// - Parameter options: further ones: ` --force`.
    package init(_ before: MessageText = "load it: ", options: String = "") {
        self.before = before
        self.options = options
    }

    private init(_ words: MessageText, way: Way) {
        self.init(words)
        self.way = way
    }

    /// For a log date that is partial, or lacks files or hours.
    package static let acceptance = Remedy("accept: ", options: " --force")
    /// For a partition whose log date cannot be loaded again.
    package static let backup = Remedy("put it back from a backup, or give its figures up for good: ", way: .giveUp)
    /// For a file that does not belong there.
    package static let removal = byHand("remove it")

    /// What no command does.
    package static func byHand(_ words: MessageText) -> Remedy { Remedy(words, way: .byHand) }

    /// - Parameters:
    ///   - dates: sorted.
    ///   - hasBackfill: whether several log dates can be loaded with one command.
    func text(of dates: [LogDate], hasBackfill: Bool) -> MessageText {
        switch way {
        case .load: return before + commands(for: dates, hasBackfill: hasBackfill)
        case .giveUp:
            // The command takes one log date.
            let date = dates.count == 1 ? "\(dates[0])" : "DATE"
            return before + "\(command: "backfill --give-up \(date)")"
        case .byHand: return before
        }
    }

    /// The commands that load log dates.
    func commands(for dates: [LogDate], hasBackfill: Bool) -> MessageText {
        guard let first = dates.first, let last = dates.last else { return "" }
        if !hasBackfill { return commands(for: dates.map { $0...$0 }) }
        // What a load takes of itself leaves the other log dates between as they are. With options it may replace them.
        return commands(for: options.isEmpty ? [first...last] : Text.runs(of: dates).map { $0.first...$0.last })
    }

    /// The commands that load ranges of log dates, at most three.
    package func commands(for ranges: [ClosedRange<LogDate>]) -> MessageText {
        let commands = ranges.prefix(3).map { range -> MessageText in
            // 'run' loads a log date whatever its state is.
            let words =
                range.lowerBound == range.upperBound
                ? "run --date \(range.lowerBound)\(options.replacing(/\ --only [a-z]+/, with: ""))"
                : "backfill --from \(range.lowerBound) --to \(range.upperBound)\(options)"
            return "\(command: words)"
        }
        let more = ranges.dropFirst(3)
        let areDates = more.allSatisfy { $0.lowerBound == $0.upperBound }
        let rest = ", and the same for \(Text.plural(more.count, of: areDates ? "more date" : "more range"))"
        return commands.joined(separator: ", ") + (more.isEmpty ? "" : "\(rest)")
    }
}
