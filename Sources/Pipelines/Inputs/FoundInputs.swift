import Calendar
import Configuration
import LogFiles
import Messages
import Partitions

/// The files that exist now for some log dates.
package struct FoundInputs: Sendable {
    private var files: [LogDate: [InputFile]] = [:]
    private var failures: [LogDate: Fault] = [:]
    /// The folder of the output's own files, which are no logs whatever a pattern says.
    private var ownFolder = ""

    /// - Parameters:
    ///   - listing: the files at URIs.
    ///   - dated: whether to leave out patterns without a date.
    init(_ pipeline: Pipeline, dates: [LogDate], listing: FileListing = FileListing(), dated: Bool = false) {
        ownFolder = OutputFolder(pipeline.output).partitionsPath + "/"
        for (index, source) in pipeline.sources.enumerated() {
            let patterns = dated ? source.files.withDate : source.files
            if let found = try? patterns.files(on: dates, in: pipeline.folder, listing: listing) {
                for (date, found) in found { add(found, of: index, on: date) }
                continue
            }
            // A failure of a search must concern its own log date only, so each date is searched apart.
            for date in dates {
                do {
                    add(try patterns.files(on: date, in: pipeline.folder, listing: listing), of: index, on: date)
                } catch {
                    failures[date] = failures[date] ?? error
                }
            }
        }
    }

    init(_ files: [LogDate: [InputFile]]) {
        self.files = files
    }

    /// In the order of sources, then of paths.
    package func files(on date: LogDate) -> [InputFile] { files[date] ?? [] }

    package func failure(on date: LogDate) -> Fault? { failures[date] }

    private mutating func add(_ found: [FoundFile], of source: Int, on date: LogDate) {
        let found = found.filter { !$0.location.hasPrefix(ownFolder) }
        guard !found.isEmpty else { return }
        files[date, default: []] += found.map { InputFile(source: source, found: $0) }
    }
}
