import Foundation
import Messages

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
