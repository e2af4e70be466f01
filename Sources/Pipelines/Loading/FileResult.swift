import Events
import LogFiles
import Records
import Warehouse

/// What one file gave.
struct FileResult: Sendable {
    let file: InputFile
    let report: FileReport
    let tally: FileTally
    let rejects: [Reject]
}
