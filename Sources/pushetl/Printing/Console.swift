import Foundation
import Posix

/// Output: results to stdout, everything else to stderr. Control characters are escaped.
enum Console {
    /// - Parameter isPainted: whether the text has colours in it, and nothing else that could steer a terminal.
    /// - Throws: `ResultError`, as where stdout is a file on a full disk.
    static func result(_ text: String, isPainted: Bool = false) throws(ResultError) {
        let code = write((isPainted ? text : text.shownLines) + "\n", to: STDOUT_FILENO)
        if code != 0 { throw ResultError(code: code) }
    }

    /// A file's content to stdout, as it is: what could steer a terminal must be escaped in it.
    static func page(_ text: String) throws(ResultError) {
        let code = write(text, to: STDOUT_FILENO)
        if code != 0 { throw ResultError(code: code) }
    }

    /// Writes to stderr. A failure is ignored: the exit code still says how the command ended.
    static func message(_ text: String) {
        _ = write(text.shownLines, to: STDERR_FILENO)
    }

    /// Draws on a terminal at stderr: `text` may hold sequences that steer it.
    static func draw(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// The number of columns of the terminal at stdout; nil if stdout is none.
    static var width: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// 0, or the system's error code. (`FileHandle.write` ends the program where it cannot write.)
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        do {
            try FileDescriptor(descriptor, path: "").write(Array(text.utf8).span)
            return 0
        } catch {
            return error.code
        }
    }
}
