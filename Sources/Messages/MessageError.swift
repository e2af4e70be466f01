import Foundation
import Posix

/// An error with a message. Errors that the program acts on have types of their own; others are a `Fault`.
package protocol MessageError: Error {
    var message: Message { get }
    /// How a command ends by it.
    var exitStatus: ExitStatus { get }
}

extension MessageError {
    package var exitStatus: ExitStatus { .failedIO }
}

extension ExitStatus {
    /// How a command ends by an error.
    package init(of error: any Error) {
        self = (error as? any MessageError)?.exitStatus ?? .failedIO
    }
}

extension Message {
    /// The message about an error.
    package init(of error: any Error) {
        self =
            (error as? any MessageError)?.message
            ?? Message(.error, text: "an error that pushetl does not expect: \("\(error)"); please report it")
    }
}

extension SystemError: MessageError {
    package var message: Message {
        Message(.system, text: "\(path: path): \(call) failed: \(SystemError.reason(code))")
    }

    /// A code of the system in words: `no space left on device`.
    package static func reason(_ code: Int32) -> String {
        // Of a file that needs libzstd.
        if code == ENOPKG { return "it is zstd-compressed, and libzstd is missing; install the package libzstd1" }
        if code == SystemError.notAFile { return "it is a FIFO, a socket or a device, and no file" }
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
