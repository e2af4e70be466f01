import Foundation
import Messages
import Partitions
import Pipelines
import Posix

/// What is to be done next, as the driver says it before it waits for an answer. One line of JSON:
///
///     {"globs":["s3a://logs/2026-11-19/*"],"next":"find"}       the answer is a list of files for each glob
///     {"dates":["2026-11-19"],"files":[{…}],"job":"/…","next":"read"}   any answer, once all files are read
///     {"next":"done"}                                           the result follows
struct ClusterStep: Encodable {
    enum Next: String, Encodable {
        case find, read, done
    }

    let next: Next
    /// Globs of Hadoop.
    var globs: [String]?
    /// The path of the job's folder.
    var job: String?
    /// The log dates to load.
    var dates: [String]?
    /// Those that tasks are to read.
    var files: [ClusterJob.File]?

    init(next: Next) {
        self.next = next
    }
}

/// An answer that a step has failed: `{"failure": {"exit_code": 74, "message": "a task failed on node7; …"}}`.
private struct StepFailure: Decodable {
    struct Failure: Decodable {
        let exitCode: Int32
        let message: String
    }

    let failure: Failure

    /// - Throws: if the answer is one.
    static func check(_ answer: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // Any other answer has another form.
        guard let failure = try? decoder.decode(StepFailure.self, from: answer).failure else { return }
        // Such as: a task failed on node7; nothing has changed: no space left on device
        throw Fault(
            "spark", text: "\(failure.message)", exitStatus: ExitStatus(rawValue: failure.exitCode) ?? .failedIO)
    }
}

/// Says what is to be done, a line each, and reads a line that answers it.
struct StepChannel {
    let input: Int32
    let output: Int32
    let stop: StopFlag

    func say(_ step: ClusterStep) throws {
        let encoder = JSONEncoder.stored
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let line = try [UInt8](encoder.encode(step)) + [UInt8(ascii: "\n")]
        try FileDescriptor(output, path: "stdout").write(line.span)
    }

    /// The answer, without the end of its line. A signal may stop the waiting.
    /// - Throws: also if the step has failed, or the stream ends before the line; `Stopped`.
    func ask(_ step: ClusterStep) throws -> Data {
        try say(step)
        var answer = Data()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try stop.check()
            var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 200) > 0 else { continue }
            let count = read(input, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Fault(
                    "given_up",
                    text: "the driver ended before the job was finished; nothing has changed; run the job again")
            }
            answer += block[..<count]
            guard answer.last == UInt8(ascii: "\n") else { continue }
            try StepFailure.check(answer.dropLast())
            return answer.dropLast()
        }
    }
}

/// The resources of a task of a job.
package struct TaskResources: Sendable {
    /// Bytes for events in memory.
    package let memory: Int
    /// A folder on the machine's own disk, for temporary files.
    package let scratch: String
    /// Stops the task when it is raised.
    package let stop: StopFlag

    package init(memory: Int, scratch: String, stop: StopFlag) {
        self.memory = memory
        self.scratch = scratch
        self.stop = stop
    }

    /// Calls `body` with a folder of this task alone.
    func withScratch(_ body: (String) throws -> Void) throws {
        let folder = "\(scratch)/pushetl-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try Folder.create(folder)
        // What stays takes room only.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
