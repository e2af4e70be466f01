import LogFiles
import Partitions

/// The result of reading one file, its events left out.
package struct FileResult: Sendable {
    package let file: InputFile
    package let report: FileReport
    package let tally: FileTally
    package let rejects: [Reject]
    /// The names that the file's records give deliveries.
    package let names: [DeliveryName]

    package init(
        file: InputFile, report: FileReport, tally: FileTally, rejects: [Reject], names: [DeliveryName] = []
    ) {
        self.names = names
        self.file = file
        self.report = report
        self.tally = tally
        self.rejects = rejects
    }
}
