import Configuration
import Foundation
import Messages

/// The sentences of errors, with paths as the reader sees them.
struct Sentence {
    let paths: ShownPaths

    /// For errors without relative paths.
    init(_ paths: ShownPaths = ShownPaths(FileManager.default.currentDirectoryPath)) {
        self.paths = paths
    }

    /// Without a pipeline relative paths begin in the working folder.
    init(_ pipeline: Pipeline?) {
        self.init(ShownPaths(pipeline?.folder ?? FileManager.default.currentDirectoryPath))
    }

    func of(_ error: any Error) -> String { message(error).words }

    func message(_ error: any Error) -> Message { Message(of: error).shown(paths) }

    /// A message about a file or folder, which its sentence begins with.
    func at(_ path: String, line: Int? = nil, _ code: String, _ text: String) -> Message {
        Message.told(
            code, "\(paths(path))\(line.map { ":\($0)" } ?? ""): \(text)", path: paths.opening(path), line: line)
    }
}
