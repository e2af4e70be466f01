import ArgumentParser
import Foundation
import Pipelines

/// What goes to the terminal: results to stdout, everything else to stderr.
enum Console {
    /// - Throws: the exit of a result that nobody gets, as where stdout is a file on a full disk.
    static func result(_ text: String) throws(ExitCode) {
        let code = write(text + "\n", to: STDOUT_FILENO)
        guard code != 0 else { return }
        error("the result cannot be written to stdout: \(Sentence.reason(code))")
        throw ExitCode(ExitStatus.failedIO.rawValue)
    }

    static func result(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try result(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    static func warn(_ text: String) {
        message("warning: \(text)\n")
    }

    static func error(_ text: String) {
        message("error: \(text)\n")
    }

    /// To stderr. Where that cannot be written there is nobody left to tell, and the exit code says how it went.
    static func message(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Says what is wrong; answers the exit that goes with it.
    static func failure(_ failure: any Error) -> ExitCode {
        if let failure = failure as? PipelineFileError {
            // Each is a whole line already, that editors know how to jump to.
            for problem in failure.problems + failure.warnings { message("\(problem)\n") }
        } else {
            error(Sentence.of(failure))
        }
        return ExitCode(ExitStatus(of: failure).rawValue)
    }

    /// 0, or the system's error code. (`FileHandle.write` ends the program where it cannot write.)
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
