import Posix

/// Why an export ended. Nothing that other programs made is changed by an export that fails.
package enum ExportError: Error, Equatable, Sendable {
    /// There is no push.db at the path.
    case noOutput(path: String)
    /// push.db was written by an earlier version of the program.
    case earlierSchema(path: String, schema: Int)
    /// Something other than a folder has the path that the export writes to.
    case notFolder(path: String)
    /// Something that the export did not make has the path of one of its files.
    case foreignFile(path: String)
    /// No table that is wanted has a day in these months.
    case noDays(months: ExportMonths)
    case system(SystemError)
    /// The caller asked to stop.
    case stopped
}

/// Runs `body`, which uses files, and converts its errors.
@discardableResult
func reportingCalls<T>(_ body: () throws(SystemError) -> T) throws(ExportError) -> T {
    do {
        return try body()
    } catch {
        throw .system(error)
    }
}
