/// An error that nothing acts on.
package struct Fault: MessageError, Equatable {
    package let message: Message
    package let exitStatus: ExitStatus

    package init(_ message: Message, exitStatus: ExitStatus = .failedIO) {
        self.message = message
        self.exitStatus = exitStatus
    }

    package init(_ code: MessageCode, text: MessageText, exitStatus: ExitStatus = .failedIO) {
        self.init(Message(code, text: text), exitStatus: exitStatus)
    }

    /// About a file or folder, see `Message.at`.
    package static func at(
        _ path: String, code: MessageCode, text: MessageText, exitStatus: ExitStatus = .failedIO
    ) -> Fault {
        Fault(.at(path, code: code, text: text), exitStatus: exitStatus)
    }
}
