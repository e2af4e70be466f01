import Messages
import Posix

/// stdout could not be written; the system's error code.
struct ResultError: MessageError {
    let code: Int32

    var message: Message {
        Message("unwritable_result", "the result cannot be written to stdout: \(SystemError.reason(code))")
    }
}
