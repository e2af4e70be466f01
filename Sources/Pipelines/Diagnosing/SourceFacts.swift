import Calendar
import Configuration
import LogFiles
import Messages

/// The facts about a source and its files that may be shown to strangers. A number stands for the source, since its
/// name may be private.
package struct SourceFacts: Sendable {
    /// In the pipeline file, from 1.
    package let number: Int
    package let format: String
    package let layouts: [String]
    /// The number of files of the log date.
    package private(set) var files = 0
    /// The shape of the first file; nil if there is no file, or it cannot be read.
    package private(set) var shape: FileShape?
    /// The code of why files cannot be found or read.
    package private(set) var failure: String?

    private static let mostSources = 20

    /// The sources of a pipeline, with their files of the latest log date for which a source has files.
    package static func all(of pipeline: Pipeline) -> (date: LogDate, sources: [SourceFacts]) {
        let date = pipeline.latestDateWithFiles ?? LogDate.today(in: pipeline.zone).adding(days: -1)
        let found = Result { try Preview.files(of: pipeline, on: date) }
        let sources = pipeline.sources.indices.prefix(mostSources).map { index in
            SourceFacts(of: pipeline, source: index, date: date, found: found)
        }
        return (date, sources)
    }

    private init(
        of pipeline: Pipeline, source index: Int, date: LogDate,
        found: Result<[(source: Int, file: Preview.File)], any Error>
    ) {
        let source = pipeline.sources[index]
        number = index + 1
        format = source.format.rawValue
        layouts = source.layouts.map(\.name)
        do {
            let files = try found.get().filter { $0.source == index }
            self.files = files.count
            shape = try files.first.map { try FileShape(of: $0.file, pipeline: pipeline, source: index, date: date) }
        } catch let error as PipelineFileError {
            failure = error.messages.first?.code.name
        } catch {
            failure = (error is LogFileError ? .unreadableFile : Message(of: error).code).name
        }
    }
}

extension SourceFacts: Encodable {
    package func encode(to encoder: any Encoder) throws {
        let outcomes: [JSONObject]? = shape?.tally.counts.map {
            ["outcome": $0.outcome, "reason": $0.reason, "records": $0.records]
        }
        try encoder.encode([
            "source": number, "format": format, "layout": JSONList(layouts), "files": files, "failure": failure,
            "packing": shape?.packing.rawValue, "status": shape?.status, "is_foreign": shape?.isForeign,
            "outcomes": outcomes, "lines": shape?.lines, "rejects": shape?.rejects,
        ])
    }
}
