import Foundation
import Messages
import Posix

/// Output: results to stdout, everything else to stderr. Control characters are escaped. On a terminal, lines are
/// broken between words.
enum Console {
    /// - Throws: `Fault`, as where stdout is a file on a full disk.
    static func result(_ text: String, layout: ResultLayout) throws(Fault) {
        let shown =
            switch layout {
            case .words: Text.broken(text.shownLines, at: width)
            case .lines: text.shownLines
            case .painted: text
            }
        try page(shown + "\n")
    }

    /// Writes a file's content or a document to stdout as it is. Characters that could control a terminal must be
    /// escaped already.
    static func page(_ text: String) throws(Fault) {
        let code = write(text, to: STDOUT_FILENO)
        guard code != 0 else { return }
        throw Fault(
            Message(.unwritableResult, text: "the result cannot be written to stdout: \(SystemError.reason(code))"))
    }

    /// Writes to stderr. A failure is ignored: the exit code still says how the command ended.
    static func message(_ text: String) {
        _ = write(Text.broken(text.shownLines, at: width(of: STDERR_FILENO)), to: STDERR_FILENO)
    }

    /// Draws on a terminal at stderr: `text` may hold sequences that steer it.
    static func draw(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// The number of columns of the terminal at stdout; nil if stdout is none.
    static var width: Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
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
