import Foundation

/// A program that was started. Its output goes to files, so it never waits for a reader. It is killed with the object.
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
