import Foundation

/// A program that tests run.
package struct Program: Sendable {
    /// How a run ended.
    package struct Outcome: Sendable {
        /// The exit code. Of a program that a signal ended, the signal's number, negative.
        package let exit: Int32
        package let stdout: String
        package let stderr: String
    }

    package let executable: URL

    /// `pushetl`: the one that `PUSHETL_BINARY` names, else the one beside the tests. Nil if neither is there.
    package static let built: Program? = {
        if let path = ProcessInfo.processInfo.environment["PUSHETL_BINARY"] {
            return Program(executable: URL(fileURLWithPath: path))
        }
        return besideTests("pushetl")
    }()

    /// Nil if it is not built.
    package static let loggen = besideTests("loggen")

    /// The library that shows a program another time, see `Tests/Clock`.
    package static let clock = besideTests("libClock.so")?.executable

    private static func besideTests(_ name: String) -> Program? {
        let folders = [
            Bundle.main.executableURL?.deletingLastPathComponent(), Bundle.main.bundleURL.deletingLastPathComponent(),
            Bundle.main.bundleURL,
        ]
        return folders.compactMap { $0?.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }.map { Program(executable: $0) }
    }

    package init(executable: URL) {
        self.executable = executable
    }

    /// Runs to the end. `environment` is added to this process's.
    package func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Outcome {
        try start(arguments, in: folder, environment: environment).wait()
    }

    package func start(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return try RunningProgram(process)
    }
}
