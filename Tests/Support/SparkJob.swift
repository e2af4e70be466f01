import Foundation

/// Plays Apache Spark's part in a job: runs the driver and the tasks as processes. As Spark might, it loses an attempt of a task
/// and makes another one: of the first task.
package final class SparkJob {
    private let program: Program
    private let folder: URL
    private let scratch: ScratchFolder
    private var hasTriedAgain = false
    /// Whether the tasks get the bytes of all files on stdin, as if Spark had read them.
    package var givesBytes = false
    /// Called before the tasks of a step are started, and as "after read" once they have ended, with the job's folder. If it
    /// returns false, the driver is killed.
    package var goesOn: (_ moment: String, _ job: String) throws -> Bool = { _, _ in true }
    /// Called between the attempts of a task.
    package var willTryAgain: (_ job: String) throws -> Void = { _ in }
    /// The steps that the driver has asked for.
    package private(set) var steps: [String] = []

    package init(_ program: Program, in folder: URL) throws {
        self.program = program
        self.folder = folder
        scratch = try ScratchFolder()
        // A driver that has ended is an error of the call.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Runs a job to its end. If a task fails, the outcome is that of the task.
    package func run(_ arguments: [String]) throws -> Program.Outcome {
        let driver = try Driver(program, ["spark-plan"] + arguments, in: folder, scratch)
        (steps, hasTriedAgain) = ([], false)
        do {
            while let line = try driver.line() {
                guard let step = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                    let next = step["next"] as? String
                else { throw Unreadable() }
                steps.append(next)
                let job = step["job"] as? String ?? ""
                guard try goesOn(next, job) else { return driver.kill() }
                switch next {
                case "read": for file in step["files"] as? [[String: Any]] ?? [] { try read(file, job) }
                case "done": break
                default: throw Unreadable()
                }
                if next == "done" { break }
                guard try goesOn("after " + next, job) else { return driver.kill() }
                try driver.goOn()
            }
        } catch let failure as TaskFailure {
            driver.endInput()
            _ = driver.outcome()
            return failure.outcome
        }
        driver.endInput()
        return driver.outcome()
    }

    private struct Unreadable: Error {}

    private struct DifferentAttempts: Error {
        let task: [String]
    }

    private struct TaskFailure: Error {
        let outcome: Program.Outcome
    }

    private func read(_ file: [String: Any], _ job: String) throws {
        let index = file["index"] as? Int ?? 0
        let location = file["location"] as? String ?? ""
        let arguments = ["spark-read", "--file", "\(index)"] + (givesBytes ? ["--stdin"] : [])
        func attempt() throws -> Data {
            try self.attempt(arguments, job, givesBytes ? location : nil)
            return try Data(contentsOf: URL(fileURLWithPath: "\(job)/\(file["log_date"] ?? "").\(index).events"))
        }
        let first = try attempt()
        if hasTriedAgain { return }
        hasTriedAgain = true
        try willTryAgain(job)
        guard try first == attempt() else { throw DifferentAttempts(task: arguments) }
    }

    private func attempt(_ arguments: [String], _ job: String, _ input: String?) throws {
        let process = Process()
        process.executableURL = program.executable
        process.arguments = arguments + ["--job", job, "--scratch", scratch.root]
        process.currentDirectoryURL = URL(fileURLWithPath: scratch.root)
        process.standardInput = FileHandle(forReadingAtPath: input ?? "/dev/null")
        process.standardError = try scratch.handle("errors")
        try process.run()
        process.waitUntilExit()
        let exit = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        guard exit == 0 else {
            throw TaskFailure(outcome: Program.Outcome(exit: exit, stdout: "", stderr: try scratch.text("errors")))
        }
    }
}

/// The running driver.
private final class Driver {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let scratch: ScratchFolder
    private var unread = Data()

    init(_ program: Program, _ arguments: [String], in folder: URL, _ scratch: ScratchFolder) throws {
        self.scratch = scratch
        process.executableURL = program.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try scratch.handle("driver-errors")
        try process.run()
    }

    deinit {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// The next line of its output; nil at the end.
    func line() throws -> Data? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unread[..<end]
                unread = Data(unread[(end + 1)...])
                return Data(line)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// Answers a step.
    func goOn() throws {
        try input.fileHandleForWriting.write(contentsOf: [UInt8(ascii: "\n")])
    }

    func endInput() {
        try? input.fileHandleForWriting.close()
    }

    func kill() -> Program.Outcome {
        Foundation.kill(process.processIdentifier, SIGKILL)
        return outcome()
    }

    /// How it ended, once it has.
    func outcome() -> Program.Outcome {
        let rest = unread + ((try? output.fileHandleForReading.readToEnd()) ?? Data())
        process.waitUntilExit()
        let status = process.terminationStatus
        return Program.Outcome(
            exit: process.terminationReason == .exit ? status : -status, stdout: String(decoding: rest, as: UTF8.self),
            stderr: (try? scratch.text("driver-errors")) ?? "")
    }
}
