import Calendar
import LogFiles
import Warehouse

/// How the log dates stand that are loaded or have files.
package struct KnownLogDates: Sendable {
    /// In their order.
    package internal(set) var states: [LogDateState] = []
    /// Sources whose folder does not exist, so that their files were not compared.
    package internal(set) var warnings: [LogDateReport.Warning] = []
    /// What kept files from being found.
    package internal(set) var failures: [FileSearchError] = []
}
