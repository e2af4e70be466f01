import Foundation
import Messages
import Posix

/// A log file could not be opened, read or unpacked.
package struct LogFileError: Error, Equatable {
    /// `inflate`: zlib or libzstd could not be initialized. `unpack`: a zstd frame cannot be unpacked.
    package enum Step: Equatable, Sendable {
        case open, read, inflate
        case unpack(ForeignKind)
    }

    /// The code if a file needs libzstd and that is not installed.
    static let noLibzstd = ENOPKG

    package let step: Step
    package let path: String
    /// The value of `errno`; for `inflate` the error code of the library.
    package let code: Int32

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
    }

    /// The kind of a file that cannot be unpacked.
    package var foreignKind: ForeignKind? {
        if case .unpack(let kind) = step { kind } else { nil }
    }

    /// Runs `body`, and turns a `SystemError` into a `LogFileError`.
    static func reporting<Result>(
        _ step: Step = .read, body: () throws(SystemError) -> Result
    ) throws(LogFileError) -> Result {
        do {
            return try body()
        } catch {
            throw LogFileError(step: step, path: error.path, code: error.code)
        }
    }
}

extension LogFileError: MessageError {
    package var message: Message {
        switch step {
        case .open, .read, .unpack:
            .at(
                path, code: .unreadableFile,
                text: "cannot be read: \(SystemError.reason(code)); the log date keeps its former content; "
                    + "make the file readable and run again")
        case .inflate:
            .at(
                path, code: .unreadableFile,
                text: "the decompressor could not start (code \(code)); free some memory and run again")
        }
    }
}
