import Calendar
import LogFiles
import Partitions

/// Reads the files of log dates, and makes partitions of them. `PipelineRun` chooses the log dates, publishes their
/// figures, and writes the history.
package protocol LogDateLoader {
    /// The files that match patterns at URIs. The listing may contain other files too.
    /// - Throws: if this loader cannot read the pipeline's files.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates. The reports are in the order of `dates`.
    func load(_ dates: [LogDate], from found: FoundInputs, in locked: LockedOutput) throws -> [LogDateReport]
}
