import Foundation
import Testing

/// What a test needs beside itself. Without it the test is skipped, or fails if `PUSHETL_TOOLS=required` is in the environment,
/// as in CI.
extension Trait where Self == ConditionTrait {
    package static var needsPushetl: Self { needs("pushetl", Program.built) }
    package static var needsLoggen: Self { needs("loggen", Program.loggen) }

    package static func needs(_ tool: Tool) -> Self { needs(tool.rawValue, tool.path) }

    private static func needs(_ name: String, _ found: (some Sendable)?) -> Self {
        .enabled("\(name) is not there") {
            if found == nil, ProcessInfo.processInfo.environment["PUSHETL_TOOLS"] == "required" {
                throw MissingProgram(name: name)
            }
            return found != nil
        }
    }
}

private struct MissingProgram: Error {
    let name: String
}
