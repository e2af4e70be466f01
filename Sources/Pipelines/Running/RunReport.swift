import Calendar
import Configuration
import Messages
import Output
import Partitions

/// The result of a command that loads.
package struct RunReport: Sendable {
    /// The log dates that were to be loaded, in order.
    package internal(set) var dates: [LogDateReport] = []
    /// Loads of earlier commands that stand, and that these could neither publish nor tell of. In order.
    package internal(set) var earlierLoads: [PendingLoad] = []
    /// Log dates that were compared and left alone, in order.
    package internal(set) var skipped: [LogDateState] = []
    /// Those of the skipped dates that were left alone only because their last load was held back.
    package internal(set) var heldBack: [LogDateState] = []
    /// What is to be known about log dates that are not closed.
    package internal(set) var closingWarnings: [ClosingPlan.Warning] = []
    /// Whether any log date asked for has files.
    package internal(set) var hasInput = true
    /// What the delivery files say now; nil if they were not read.
    package internal(set) var deliveries: DeliveryReading?
    /// Nil if nothing had to be published, or publishing failed.
    package internal(set) var publication: Publication?
    /// What the checks found in what was published.
    package internal(set) var checks: [CheckReport] = []
    /// Why publishing failed; nil if it did not.
    package internal(set) var publishingFailure: (any Error)?
    /// The log dates of a former pipeline; nil if there are none, or nothing is known of them.
    package internal(set) var formerPipeline: FormerPipeline?
    /// Whether no command has published with this pipeline file before.
    package internal(set) var isNewPipeline = false
    /// Seconds from the beginning to the end of the command.
    package internal(set) var seconds = 0.0

    /// Those of the skipped dates that are closed, and are loaded or have files.
    package var closed: [LogDateState] {
        skipped.filter { $0.phase != .open && ($0.files > 0 || $0.partition != .missing) }
    }

    /// The most serious exit status of all log dates and of publishing.
    package var status: ExitStatus {
        var status = status(hasDamage: publication.map { !$0.damaged.isEmpty } ?? false)
        if publication?.closing?.hindrance != nil { status = max(status, .badData) }
        if publication?.closing?.failure != nil { status = max(status, .failedIO) }
        return status
    }

    /// That log dates have no files, and what the command has done nevertheless.
    package func noFiles(_ dates: [LogDate], of pipeline: Pipeline) -> Message {
        let isUntold = publication == nil && publishingFailure != nil
        if isUntold || self.dates.contains(where: \.isInstalled) { return pipeline.noFiles(dates, "") }
        let isChanged = publication?.isChanged ?? false
        return pipeline.noFiles(
            dates, isChanged ? "; push.db is brought up to date with what is loaded" : "; nothing changed")
    }

    /// Whether a log date has already reported this failure of publishing.
    package func isTold(_ failure: any Error) -> Bool {
        guard let failure = failure as? WarehouseError else { return false }
        return dates.contains { date in
            if case .failed(let error) = date.verdict { failure == error as? WarehouseError } else { false }
        }
    }

    /// `hasDamage`: whether an installed partition is damaged.
    func status(hasDamage: Bool) -> ExitStatus {
        var statuses = dates.filter { !$0.hasNoFiles }.map(\.status)
        if !hasInput { statuses.append(.noInput) }
        if closed.contains(where: { $0.partition == .damaged }) { statuses.append(.failedIO) }
        if !heldBack.isEmpty || closed.contains(where: { $0.refusedFiles > 0 }) { statuses.append(.badData) }
        if closingWarnings.contains(where: \.isFault) { statuses.append(.badData) }
        if deliveries?.faults.isEmpty == false { statuses.append(.badData) }
        if checks.contains(where: { $0.severity == .fail && !$0.finding.isNothing }) { statuses.append(.badData) }
        if let publishingFailure { statuses.append(ExitStatus(of: publishingFailure)) }
        if hasDamage { statuses.append(.failedIO) }
        return statuses.max() ?? .done
    }
}

extension Pipeline {
    /// That log dates have no files, which ones were looked for, and the latest log date that has some.
    package func noFiles(_ dates: [LogDate], _ outcome: String = "; nothing changed") -> Message {
        let (first, last) = (dates.first, dates.last)
        let span = (first == last ? [first] : [first, last]).compactMap { $0?.description }.joined(separator: " to ")
        let patterns = sources.few { source in
            "\(path: dates.count == 1 ? source.files.text(on: dates[0]) : source.files.text)"
        }
        let latest: MessageText =
            latestDateWithFiles.map { "the latest log date with files is \($0)" }
            ?? "no log date has files: check 'files' in \(file)"
        return Message(
            "no_files", "\(span): no source has files\(outcome); looked for \(patterns); \(latest)",
            logDate: first == last ? first : nil)
    }
}

/// What a check found, or why it could not be asked.
package struct CheckReport: Sendable {
    package let severity: Check.Severity
    package let finding: CheckFinding
}
