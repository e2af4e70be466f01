import Messages
import Posix

/// What an export did with a file.
package struct ExportedFile: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        case written, unchanged, removed
    }

    package var path: String
    /// The table whose rows it holds; nil if it holds something else.
    package let table: String?
    /// Such as `2026-11`; nil for a table without days.
    package let month: String?
    /// Without the header; nil for a removed file, or one that holds something else.
    package let rows: Int?
    package let state: State
}

extension Fault {
    /// The caller asked to stop.
    package static let exportStopped = Fault(
        .stopped, text: "stopped; the files that are there are complete, and the same command does the rest")
}

/// Runs `body`, which writes files, and tells what that means for an export.
@discardableResult
func reportingCalls<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as SystemError {
        throw Fault.at(
            error.path, code: .system,
            text: """
                \(error.call) failed: \(SystemError.reason(error.code)); the files that are there are complete; fix that and \
                run again
                """)
    }
}

/// A file that is written whole, and how it is known from those of others.
struct OwnFile {
    let path: String
    /// Whether a file that begins with these bytes may be replaced.
    let isOurs: (_ head: [UInt8]) -> Bool
}
