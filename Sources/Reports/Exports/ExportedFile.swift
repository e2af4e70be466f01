import Messages
import Posix

/// What an export did with a file.
package struct ExportedFile: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable {
        case written, unchanged, removed
    }

    package var path: String
    /// The table whose rows the file has; nil for any other file.
    package let table: String?
    /// The month of the file, such as `2026-11`; nil for a table without days.
    package let month: String?
    /// The number of rows, without the header; nil for a removed file, and for a file without table rows.
    package let rows: Int?
    package let state: State
}

extension Fault {
    /// The error that the user has stopped the export.
    package static let exportStopped = Fault(
        .stopped, text: "stopped; the files that are there are complete, and the same command does the rest")
}

/// Runs `body`, which writes files. Converts errors of system calls to errors of an export.
@discardableResult
func reportingExport<T>(_ body: () throws -> T) throws -> T {
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
