import Foundation

/// Colours of what needs a look, on a terminal only, and not where `NO_COLOR` is set.
enum Colour: Int {
    case red = 31
    case yellow = 33

    private static let isWanted: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// The text in this colour, where colours are wanted.
    func paint(_ text: String) -> String {
        Colour.isWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
