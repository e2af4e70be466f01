import Calendar
import LogFiles
import Messages

/// The states of the log dates that are loaded or have files.
package struct KnownLogDates: Sendable {
    /// In order.
    package internal(set) var states: [LogDateState] = []
    /// The last closed log date; nil if there is none.
    package internal(set) var closedThrough: LogDate?
    /// Sources that were not compared, since their folder does not exist.
    package internal(set) var warnings: [Message] = []
    /// Folders that could not be searched.
    package internal(set) var failures: [FileSearchError] = []
}
