import Messages

/// The stop flag was raised.
package struct Stopped: MessageError {
    package var message: Message {
        Message(.stopped, text: "stopped; nothing is lost, and the same command does the rest")
    }
}
