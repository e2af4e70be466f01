/// The caller asked to stop.
package struct Stopped: MessageError, Equatable {
    /// Whether the same command does the rest.
    private let isResumable: Bool

    package init(isResumable: Bool = false) {
        self.isResumable = isResumable
    }

    package var message: Message {
        let rest: MessageText = isResumable ? "; nothing is lost, and the same command does the rest" : ""
        return Message(.stopped, text: "stopped" + rest)
    }
}
