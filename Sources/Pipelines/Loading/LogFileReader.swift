import LogFiles

/// Reads the files of a log date.
package protocol LogFileReader: Sendable {
    /// The files of kinds that are not read.
    /// - Throws: `LogFileError` if a file cannot be opened.
    func foreignFiles(of plan: LogDatePlan, resources: RunResources) throws -> [ForeignFile]

    /// - Throws: `LogFileError` if a file cannot be read.
    func read(_ plan: LogDatePlan, resources: RunResources, spillFolder: String) throws -> LogDateReading
}
