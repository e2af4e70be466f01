import Calendar
import LogFiles
import Warehouse

/// What reads the files of log dates, and makes partitions of them. `PipelineRun` decides which log dates these are,
/// publishes their figures, and writes the history.
package protocol LogDateLoader {
    /// - Throws: if the pipeline's files or the output are not for this loader. Called before the output is locked, and again
    ///   when it is.
    func check() throws

    /// The files of the patterns at URIs. Others may be among them.
    func listing(on dates: [LogDate]) throws -> FileListing

    /// Loads log dates, while the output is locked. The reports are in the order of `dates`.
    /// - Parameter states: of the log dates that were compared with their files.
    func load(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState]
    ) throws -> [LogDateReport]

    /// Where the figures come from, those of settled log dates left out; nil for the partitions of the output.
    ///
    /// - Parameter closing: what the publishing is to close. What is due to settle has settled then.
    func figures(_ closing: inout Closing?) throws -> (any FigureSource)?

    /// Called at last, while the output is still locked.
    func end()
}
