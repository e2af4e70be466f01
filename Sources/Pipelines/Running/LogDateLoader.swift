import Calendar
import LogFiles
import Partitions

/// What reads the files of log dates, and makes partitions of them. `PipelineRun` decides which log dates these are,
/// publishes their figures, and writes the history.
package protocol LogDateLoader {
    /// - Throws: if the pipeline's files or the output are not for this loader. Called before the output is locked, and again
    ///   when it is.
    func check() throws

    /// The files of the patterns at URIs. Others may be among them.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates. The reports are in the order of `dates`.
    /// - Parameter states: of the log dates that were compared with their files.
    func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState], in held: HeldOutput
    ) throws -> [LogDateReport]

    /// Called before the figures are published.
    func prepareToPublish() throws

    /// Called at last.
    func end(in held: HeldOutput)
}
