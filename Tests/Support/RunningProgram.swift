import Foundation

/// A program that was started. Its output goes to files, so it never waits for a reader. It is killed when nobody refers
/// to it.
package final class RunningProgram {
    private let process: Process
    private let folder: ScratchFolder

    init(_ process: Process) throws {
        self.process = process
        folder = try ScratchFolder()
        process.standardOutput = try folder.handle("stdout")
        process.standardError = try folder.handle("stderr")
        try process.run()
    }

    deinit {
        if process.isRunning { send(SIGKILL) }
    }

    package var isRunning: Bool { process.isRunning }

    /// Whether the program has a file open.
    package func hasOpen(_ path: String) -> Bool {
        let folder = "/proc/\(process.processIdentifier)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }
    }

    package func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    package func wait() throws -> Program.Outcome {
        process.waitUntilExit()
        let status = process.terminationStatus
        return Program.Outcome(
            exit: process.terminationReason == .exit ? status : -status, stdout: try folder.text("stdout"),
            stderr: try folder.text("stderr"))
    }
}
