import Calendar
import Configuration
import Messages
import Output
import Partitions

/// The result of a command that loads.
package struct RunReport: Sendable {
    package let loads: LoadsReport
    package let publishing: PublishingReport
    /// The log dates that were loaded with another pipeline file; nil if there are none, or they are not known.
    let formerPipeline: FormerPipeline?
    /// Whether push.db was published with another pipeline file, or by other rules of its zone, before this command, or never.
    let isNewPipeline: Bool
    /// Seconds from the beginning to the end of the command.
    package let seconds: Double

    /// The most serious exit status of all log dates and of publishing.
    package var status: ExitStatus { max(loads.status, publishing.status) }

    /// All that a person should know about the command.
    package func notices(_ request: DateRequest, of pipeline: Pipeline) -> [Notice] {
        let former = isNewPipeline ? formerPipeline?.messages ?? [] : []
        let isTold = publishing.failure.map(loads.haveFailed) ?? false
        // It is only a warning if the command has loaded others.
        let level = status == .noInput ? MessageLevel.error : .warning
        return loads.notices(request) { Notice(level, message: pipeline.noFiles(for: $0, outcome: outcome)) }
            + publishing.notices(of: pipeline, isTold: isTold, refused: loads.refusedDamage)
            + former.map { Notice(.warning, message: $0) }
    }

    /// What the command has done, for the message about log dates without files.
    private var outcome: String {
        let hasFailed = publishing.publication == nil && publishing.failure != nil
        if hasFailed || loads.dates.contains(where: \.isInstalled) { return "" }
        let isChanged = publishing.publication?.isChanged ?? false
        return isChanged ? "; push.db is brought up to date with what is loaded" : "; nothing changed"
    }
}

extension Pipeline {
    /// The message that log dates have no files. It names the patterns, and the latest log date that has files.
    package func noFiles(for dates: [LogDate], outcome: String = "; nothing changed") -> Message {
        let first = dates.first
        let last = dates.last
        let span = (first == last ? [first] : [first, last]).compactMap { $0?.description }.joined(separator: " to ")
        let patterns = sources.few { source in
            "\(path: dates.count == 1 ? source.files.text(on: dates[0]) : source.files.text)"
        }
        let latest: MessageText =
            latestDateWithFiles.map { "the latest log date with files is \($0)" }
            ?? "no log date has files: check 'files' in \(file)"
        return Message(
            .noFiles, text: "\(span): no source has files\(outcome); looked for \(patterns); \(latest)",
            logDate: first == last ? first : nil)
    }
}
