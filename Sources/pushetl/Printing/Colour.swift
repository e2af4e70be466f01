import Foundation

/// Colours for what needs a look. Only on a terminal, and not if `NO_COLOR` is set.
enum Colour: Int {
    case red = 31
    case yellow = 33

    private static let isWanted: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// The text in this colour, or unchanged if colours are off.
    func paint(_ text: String) -> String {
        Colour.isWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
