import Calendar

/// A command that loads the log dates of a message, with words before it.
package struct Remedy: Hashable, Sendable {
    private let before: String
    private let options: String

    /// - Parameter options: further ones: ` --force`.
    package init(_ before: String = "load it: ", options: String = "") {
        self.before = before
        self.options = options
    }

    /// - Parameter dates: sorted.
    package func text(of dates: [LogDate]) -> MessageText {
        guard let first = dates.first, let last = dates.last else { return "" }
        // 'run' loads a log date whatever its state is.
        let command =
            first == last
            ? "run --date \(first)\(options.replacing(/\ --only [a-z]+/, with: ""))"
            : "backfill --from \(first) --to \(last)\(options)"
        return "\(before)\(command: command)"
    }
}
