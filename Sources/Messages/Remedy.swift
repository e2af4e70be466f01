import Calendar

/// What mends the log dates of a message: words, and mostly a command after them.
package struct Remedy: Hashable, Sendable {
    private enum Way {
        case load, giveUp
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

    /// For a partition whose log date cannot be loaded again.
    package static let backup = Remedy("put it back from a backup, or give its figures up for good: ", way: .giveUp)
    /// For a file that does not belong there.
    package static let removal = Remedy("remove it", way: .byHand)

    /// - Parameter dates: sorted.
    package func text(of dates: [LogDate]) -> MessageText {
        guard let first = dates.first, let last = dates.last else { return "" }
        switch way {
        case .load: break
        // The command takes one log date.
        case .giveUp: return "\(before)\(command: "backfill --give-up \(first == last ? "\(first)" : "DATE")")"
        case .byHand: return "\(before)"
        }
        // 'run' loads a log date whatever its state is.
        let command =
            first == last
            ? "run --date \(first)\(options.replacing(/\ --only [a-z]+/, with: ""))"
            : "backfill --from \(first) --to \(last)\(options)"
        return "\(before)\(command: command)"
    }
}
