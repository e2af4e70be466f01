import ArgumentParser

/// A command's result: text for people, or the same facts as JSON.
protocol CommandResult: Encodable {
    /// Nothing is printed if it is empty.
    var text: String { get }
    /// Whether the text contains colours. Then everything else in it must be safe to show.
    var isPainted: Bool { get }
}

extension CommandResult {
    var isPainted: Bool { false }
}
