import Foundation

/// The built `pushetl`, beside the tests, or the one that `PUSHETL_BINARY` names.
package struct Program: Sendable {
    /// What a run of the program came to.
    package struct Outcome: Sendable {
        /// The exit code; of a program that a signal ended, the signal's number, negative.
        package let exit: Int32
        package let stdout: String
        package let stderr: String
    }

    package let executable: URL

    /// Nil where it is not built.
    package static let built: Program? = named("pushetl")

    /// Another program of the package; nil where it is not built.
    package static func named(_ name: String) -> Program? {
        var places: [URL] = []
        if name == "pushetl", let path = ProcessInfo.processInfo.environment["PUSHETL_BINARY"] {
            places.append(URL(fileURLWithPath: path))
        }
        places += [
            Bundle.main.executableURL?.deletingLastPathComponent(), Bundle.main.bundleURL.deletingLastPathComponent(),
            Bundle.main.bundleURL,
        ].compactMap { $0?.appendingPathComponent(name) }
        return places.first { FileManager.default.isExecutableFile(atPath: $0.path) }.map { Program(executable: $0) }
    }

    package init(executable: URL) {
        self.executable = executable
    }

    /// Runs to the end. `environment` is added to this process's.
    package func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Outcome {
        let running = try start(arguments, in: folder, environment: environment)
        return try running.wait()
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

/// A program that has been started. What it prints goes to files, so that it never waits for a reader.
package struct RunningProgram {
    package let process: Process
    private let folder: ScratchFolder

    init(_ process: Process) throws {
        self.process = process
        folder = try ScratchFolder()
        process.standardOutput = try folder.handle("stdout")
        process.standardError = try folder.handle("stderr")
        try process.run()
    }

    package func wait() throws -> Program.Outcome {
        process.waitUntilExit()
        let status = process.terminationStatus
        return Program.Outcome(
            exit: process.terminationReason == .exit ? status : -status, stdout: try folder.text("stdout"),
            stderr: try folder.text("stderr"))
    }
}
