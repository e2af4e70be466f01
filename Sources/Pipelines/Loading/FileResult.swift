import LogFiles
import Warehouse

/// The result of reading one file, its events left out.
struct FileResult: Sendable {
    let file: InputFile
    let report: FileReport
    let tally: FileTally
    let rejects: [Reject]
}
