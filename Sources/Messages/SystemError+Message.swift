import Foundation
import Posix

extension SystemError: MessageError {
    package var message: Message {
        Message("system", "\(path: path): \(call) failed: \(SystemError.reason(code))")
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
