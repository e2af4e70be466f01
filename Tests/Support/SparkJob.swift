import Foundation

/// Plays Apache Spark's part in a job: runs the driver and the tasks as processes, and passes frames between them. As Spark
/// might, it loses an attempt of a task and makes another one. It does so with the first task of each kind, and gives frames of
/// both attempts, which must be of the same bytes. All frames come in any order and some of them twice.
package final class SparkJob {
    /// A frame, of which only the head was read.
    package struct Frame {
        package let kind: Int
        package let key: UInt32
        package var bytes: Data
    }

    package static let accounts = 2

    private let program: Program
    private let folder: URL
    private let scratch: ScratchFolder
    private var random: Numbers
    private var kindsTriedAgain: Set<String> = []
    /// Whether the tasks get the bytes of all files on stdin, as if Spark had read them.
    package var givesBytes = false
    /// Called with a step before its frames are passed on; may change them.
    package var willPass: (_ step: String, _ frames: inout [Frame]) throws -> Void = { _, _ in }
    /// Called between the attempts of a task.
    package var willTryAgain: (_ task: String) throws -> Void = { _ in }

    package init(
        _ program: Program, in folder: URL, random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws {
        self.program = program
        self.folder = folder
        self.random = Numbers(generator: random)
        scratch = try ScratchFolder()
        // A driver that has ended is an error of the call.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Runs a job to its end. If a task fails, the outcome is that of the task.
    package func run(_ arguments: [String]) throws -> Program.Outcome {
        let driver = try Driver(program, ["spark-drive"] + arguments, in: folder, scratch)
        var events: [UInt32: [Frame]] = [:]
        kindsTriedAgain = []
        do {
            while let line = try driver.line() {
                guard let step = try JSONSerialization.jsonObject(with: line) as? [String: Any],
                    let next = step["next"] as? String
                else { throw Unreadable() }
                if next == "done" { break }
                let job = try scratch.file(
                    JSONSerialization.data(withJSONObject: step["job"] as? [String: Any] ?? [:]), "job.json")
                let shards = step["shards"] as? Int ?? 0
                var frames: [Frame] = []
                switch next {
                case "map":
                    for file in step["files"] as? [[String: Any]] ?? [] {
                        frames += try map(file, job)
                    }
                    try willPass("events", &frames)
                    events = Dictionary(grouping: frames.filter { $0.kind != SparkJob.accounts }, by: \.key)
                    frames.removeAll { $0.kind != SparkJob.accounts }
                case "reduce":
                    for shard in 0..<shards {
                        frames += try task(
                            ["spark-reduce", "--job", job, "--shard", "\(shard)"], events[UInt32(shard)] ?? [])
                    }
                case "figures":
                    for shard in 0..<shards {
                        frames += try task(["spark-figures", "--job", job, "--shard", "\(shard)"], [])
                    }
                    try willPass("shards", &frames)
                    let byDay = Dictionary(grouping: frames, by: \.key)
                    frames = []
                    for day in step["days"] as? [UInt32] ?? [] {
                        frames += try task(["spark-add", "--job", job, "--day", "\(day)"], byDay[day] ?? [])
                    }
                default: throw Unreadable()
                }
                try willPass(next, &frames)
                try driver.send(mixed(frames))
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

    private struct Numbers: RandomNumberGenerator {
        var generator: any RandomNumberGenerator

        mutating func next() -> UInt64 { generator.next() }
    }

    private struct TaskFailure: Error {
        let outcome: Program.Outcome
    }

    /// In another order, with some frames twice.
    private func mixed(_ frames: [Frame]) -> [Frame] {
        let twice = frames.filter { _ in UInt8.random(in: 0..<4, using: &random) == 0 }
        return (frames + twice).shuffled(using: &random)
    }

    private func map(_ file: [String: Any], _ job: String) throws -> [Frame] {
        let arguments = ["spark-map", "--job", job, "--file", "\(file["index"] ?? "")"]
        guard givesBytes, let path = file["location"] as? String else { return try task(arguments, []) }
        return try task(arguments + ["--stdin"]) { try Data(contentsOf: URL(fileURLWithPath: path)) }
    }

    private func task(_ arguments: [String], _ input: [Frame]) throws -> [Frame] {
        try task(arguments) { mixed(input).reduce(into: Data()) { $0 += $1.bytes } }
    }

    /// Runs a task. Of two attempts it returns each frame of the one or of the other.
    private func task(_ arguments: [String], _ input: () throws -> Data) throws -> [Frame] {
        let first = try attempt(arguments, input())
        guard kindsTriedAgain.insert(arguments[0]).inserted else { return first }
        try willTryAgain(arguments[0])
        let second = try attempt(arguments, input())
        guard first.map(\.bytes) == second.map(\.bytes) else { throw DifferentAttempts(task: arguments) }
        return zip(first, second).map { Bool.random(using: &random) ? $0 : $1 }
    }

    /// Runs an attempt of a task. Returns its frames.
    private func attempt(_ arguments: [String], _ input: Data) throws -> [Frame] {
        let process = Process()
        process.executableURL = program.executable
        let isAdding = arguments.first == "spark-add"
        process.arguments = arguments + (isAdding ? [] : ["--scratch", scratch.root])
        process.currentDirectoryURL = URL(fileURLWithPath: scratch.root)
        let file = try scratch.file(input, "input")
        process.standardInput = FileHandle(forReadingAtPath: file)
        process.standardOutput = try scratch.handle("frames")
        process.standardError = try scratch.handle("errors")
        try process.run()
        process.waitUntilExit()
        let exit = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        guard exit == 0 else {
            throw TaskFailure(outcome: Program.Outcome(exit: exit, stdout: "", stderr: try scratch.text("errors")))
        }
        return SparkJob.frames(Data(try scratch.bytes("frames")))
    }

    private static func frames(_ stream: Data) -> [Frame] {
        var frames: [Frame] = []
        var rest = stream[...]
        func number(_ offset: Int, _ bytes: Int) -> Int {
            (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(rest[rest.startIndex + offset + $1]) }
        }
        while rest.count >= 32 {
            let bytes = rest.prefix(32 + number(12, 4))
            frames.append(Frame(kind: number(6, 2), key: UInt32(number(8, 4)), bytes: Data(bytes)))
            rest = rest.dropFirst(bytes.count)
        }
        return frames
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

    /// Gives the frames of a step.
    func send(_ frames: [SparkJob.Frame]) throws {
        for frame in frames { try input.fileHandleForWriting.write(contentsOf: frame.bytes) }
        try input.fileHandleForWriting.write(contentsOf: Data(count: 32))
    }

    func endInput() {
        try? input.fileHandleForWriting.close()
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
