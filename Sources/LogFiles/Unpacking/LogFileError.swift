import Posix

/// A log file could not be opened, read or unpacked.
package struct LogFileError: Error, Equatable {
    /// `inflate`: zlib could not be initialized.
    package enum Step: Sendable { case open, read, inflate }

    package let step: Step
    package let path: String
    /// The value of `errno`; for `inflate` the error code of zlib.
    package let code: Int32

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
    }

    /// Runs `body`, and turns a `SystemError` into a `LogFileError`.
    static func reporting<Result>(
        _ step: Step = .read, _ body: () throws(SystemError) -> Result
    ) throws(LogFileError) -> Result {
        do {
            return try body()
        } catch {
            throw LogFileError(step: step, path: error.path, code: error.code)
        }
    }
}
