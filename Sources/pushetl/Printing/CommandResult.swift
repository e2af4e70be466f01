import ArgumentParser

/// A command's result: text for people, or the same facts as JSON.
protocol CommandResult: Encodable {
    /// The result as text. If it is empty, nothing is printed.
    var text: String { get }
    var layout: ResultLayout { get }
}

extension CommandResult {
    var layout: ResultLayout { .words }
}

/// How a result's text comes to a terminal.
enum ResultLayout {
    /// Lines are broken between words. Control characters are escaped.
    case words
    /// Each line stays one, as in a file or a command that is copied. Control characters are escaped.
    case lines
    /// The text contains colour sequences. All other text in it must be safe to show.
    case painted
}
