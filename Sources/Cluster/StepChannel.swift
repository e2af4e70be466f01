import Foundation
import Messages
import Pipelines
import Posix

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
                    .givenUp,
                    text: "the driver ended before the job was finished; nothing has changed; run the job again")
            }
            answer += block[..<count]
            guard answer.last == UInt8(ascii: "\n") else { continue }
            try StepFailure.check(answer.dropLast())
            return answer.dropLast()
        }
    }
}
