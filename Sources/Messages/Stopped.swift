/// The caller asked to stop.
package struct Stopped: MessageError, Equatable {
    /// Whether the same command does the rest.
    private let isResumable: Bool

    package init(isResumable: Bool = false) {
        self.isResumable = isResumable
    }

    package var message: Message {
        Message(
            "stopped", text: isResumable ? "stopped; nothing is lost, and the same command does the rest" : "stopped")
    }
}
