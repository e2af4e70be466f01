import ArgumentParser

/// A command's result: text for people, or the same facts as JSON.
protocol CommandResult: Encodable {
    /// The result as text. If it is empty, nothing is printed.
    var text: String { get }
    /// Whether the text contains colour sequences. All other text in it must then be safe to show.
    var isPainted: Bool { get }
}

extension CommandResult {
    var isPainted: Bool { false }
}
