import ArgumentParser
import Foundation
import Pipelines

/// What goes to the terminal: results to stdout, everything else to stderr.
enum Console {
    static func result(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func result(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        result(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    static func warn(_ text: String) {
        FileHandle.standardError.write(Data("warning: \(text)\n".utf8))
    }

    static func error(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }

    /// Says what is wrong; answers the exit that goes with it.
    static func failure(_ failure: any Error) -> ExitCode {
        if let failure = failure as? PipelineFileError {
            // Each is a whole line already, that editors know how to jump to.
            for problem in failure.problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
        } else {
            error(Sentence.of(failure))
        }
        return ExitCode(ExitStatus(of: failure).rawValue)
    }
}
