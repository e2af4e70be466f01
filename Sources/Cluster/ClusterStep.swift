import Foundation
import Messages

/// The next step, which the driver writes before it waits for an answer. One line of JSON:
///
///     {"globs":["s3a://logs/2026-11-19/*"],"next":"find"}       the answer is a list of files for each glob
///     {"dates":["2026-11-19"],"files":[{…}],"job":"/…","next":"read"}   any answer, once all files are read
///     {"next":"done"}                                           the result follows
struct ClusterStep: Encodable {
    enum Next: String, Encodable {
        case find, read, done
    }

    let next: Next
    /// Globs in Hadoop's syntax.
    var globs: [String]?
    /// The path of the job's folder.
    var job: String?
    /// The log dates to load.
    var dates: [String]?
    /// The files that tasks must read.
    var files: [ClusterJob.File]?

    init(next: Next) {
        self.next = next
    }
}

/// An answer that a step has failed: `{"failure": {"exit_code": 74, "message": "a task failed on node7; …"}}`.
struct StepFailure: Decodable {
    struct Failure: Decodable {
        let exitCode: Int32
        let message: String
    }

    let failure: Failure

    /// - Throws: if the answer is one.
    static func check(_ answer: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // Any other answer has a different form.
        guard let failure = try? decoder.decode(StepFailure.self, from: answer).failure else { return }
        throw Fault(
            .spark, text: "\(failure.message)", exitStatus: ExitStatus(rawValue: failure.exitCode) ?? .failedIO)
    }
}
