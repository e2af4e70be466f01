import Events
import LogFiles
import Records
import Warehouse

/// A file that a source has for a log date.
struct InputFile: Sendable {
    /// The source's position in the pipeline.
    let source: Int
    let found: FoundFile

    /// Errors of reading tell the file by the name that all else tells of it.
    func naming<Result>(_ body: (LogFile) throws -> Result) throws -> Result {
        do {
            return try body(LogFile(found.location))
        } catch let error as LogFileError {
            throw LogFileError(step: error.step, path: found.path, code: error.code)
        }
    }
}
