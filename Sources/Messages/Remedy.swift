import Calendar

/// What mends the log dates of a message: words, and mostly a command after them.
package struct Remedy: Hashable, Sendable {
    private enum Way {
        case load, accept, giveUp
        /// No command does it.
        case byHand
    }

    private let before: String
    private let options: String
    private var way = Way.load

    /// The command that loads the log dates.
    /// - Parameter options: further ones: ` --force`.
    package init(_ before: String = "load it: ", options: String = "") {
        self.before = before
        self.options = options
    }

    private init(_ words: String, way: Way) {
        self.init(words)
        self.way = way
    }

    /// For a log date that is partial, or lacks files or hours.
    package static let acceptance = Remedy("accept: ", way: .accept)
    /// For a partition whose log date cannot be loaded again.
    package static let backup = Remedy("put it back from a backup, or give its figures up for good: ", way: .giveUp)
    /// For a file that does not belong there.
    package static let removal = Remedy("remove it", way: .byHand)

    /// - Parameters:
    ///   - dates: sorted.
    ///   - hasBackfill: whether several log dates can be loaded with one command.
    func text(of dates: [LogDate], hasBackfill: Bool) -> MessageText {
        guard let first = dates.first, let last = dates.last else { return "" }
        let date = first == last ? "\(first)" : Remedy.eachDate
        switch way {
        case .accept: return "\(before)\(command: "run --date \(date) --force")"
        case .giveUp: return "\(before)\(command: "backfill --give-up \(date)")"
        case .byHand: return "\(before)"
        case .load:
            guard first < last, hasBackfill else { return "\(before)\(command: "run --date \(date)\(optionsOfRun)")" }
            // What a load takes of itself leaves the other log dates between as they are. With options it may replace them.
            let ranges = options.isEmpty ? [first...last] : Text.runs(of: dates).map { $0.first...$0.last }
            return "\(before)\(loading(ranges))"
        }
    }

    /// What stands for the date in a command that takes one, where there are several.
    static let eachDate = "DATE"

    /// The commands that load ranges of log dates, at most three.
    package func loading(_ ranges: [ClosedRange<LogDate>]) -> MessageText {
        let more = ranges.count - 3
        let commands = ranges.prefix(3).map { range -> MessageText in
            let isOneDate = range.lowerBound == range.upperBound
            let words =
                isOneDate
                ? "run --date \(range.lowerBound)\(optionsOfRun)"
                : "backfill --from \(range.lowerBound) --to \(range.upperBound)\(options)"
            return "\(command: words)"
        }
        return commands.joined(separator: ", ")
            + (more > 0 ? ", and the same for \(Text.plural(more, of: "more range"))" : "")
    }

    /// 'run' loads a log date whatever its state is.
    private var optionsOfRun: String { options.replacing(/\ --only [a-z]+/, with: "") }
}
