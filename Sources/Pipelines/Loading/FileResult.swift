import LogFiles
import Partitions

/// The result of reading one file, its events left out.
package struct FileResult: Sendable {
    package let file: InputFile
    package let report: FileReport
    package let tally: FileTally
    package let rejects: [Reject]

    package init(file: InputFile, report: FileReport, tally: FileTally, rejects: [Reject]) {
        self.file = file
        self.report = report
        self.tally = tally
        self.rejects = rejects
    }
}
