import Configuration
import LogFiles

/// A file that a source has for a log date.
package struct InputFile: Sendable {
    /// The source's index in the pipeline.
    package let source: Int
    package let found: FoundFile

    package init(source: Int, found: FoundFile) {
        self.source = source
        self.found = found
    }

    func key(in pipeline: Pipeline) -> InputKey { InputKey(source: pipeline.sources[source].name, path: found.path) }

    /// Reads the file by its location, and names it by its path in errors.
    func naming<Result>(_ body: (_ location: String) throws -> Result) throws -> Result {
        do {
            return try body(found.location)
        } catch let error as LogFileError {
            throw LogFileError(step: error.step, path: found.path, code: error.code)
        }
    }
}
