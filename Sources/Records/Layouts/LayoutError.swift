import Messages

/// What is wrong with the value of the key `layout`.
package struct LayoutError: Error, Equatable {
    package let code: String
    package let text: MessageText

    init(_ code: String, text: MessageText) {
        self.code = code
        self.text = text
    }

    /// A record would have several lines.
    static let lineBreak = LayoutError(
        "control_character", text: "'layout' must not hold line breaks or other control characters")
}
