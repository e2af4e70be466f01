import Posix

/// A file could not be opened or read.
package struct LogFileError: Error, Equatable {
    package enum Step: Sendable { case open, read, inflate }

    package let step: Step
    package let path: String
    package let code: Int32

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
    }

    /// What `body` reads from a file.
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
