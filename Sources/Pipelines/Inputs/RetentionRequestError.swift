import Messages

/// A request about an old log date that cannot be fulfilled.
package struct RetentionRequestError: MessageError {
    package let message: Message

    init(_ text: MessageText) {
        message = Message(.usage, text: text)
    }
}
