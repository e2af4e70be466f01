import ArgumentParser
import Foundation
import Pipelines

/// What a command prints as its result: a text for people, or the same facts as JSON.
protocol CommandResult: Encodable {
    /// Nothing is printed where it is empty.
    var text: String { get }
    /// Whether the text has colours in it. All else in it must be safe to show then.
    var isPainted: Bool { get }
}

extension CommandResult {
    var isPainted: Bool { false }
}
