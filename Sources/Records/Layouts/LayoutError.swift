import Messages

/// What is wrong with the value of the key `layout`.
package struct LayoutError: Error, Equatable {
    package let code: MessageCode
    package let text: MessageText

    init(_ code: MessageCode, text: MessageText) {
        self.code = code
        self.text = text
    }

    /// A record would have several lines.
    static let lineBreak = LayoutError(
        .controlCharacter, text: "'layout' must not hold line breaks or other control characters")
}
