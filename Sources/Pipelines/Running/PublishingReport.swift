import Calendar
import Configuration
import Messages
import Output
import Partitions

/// What a command has published, and what it found on the way.
package struct PublishingReport: Sendable {
    /// The content of the delivery files; nil if they were not read.
    var deliveries: DeliveryReading?
    /// Warnings about log dates that cannot be closed.
    var closingWarnings: [ClosingPlan.Warning] = []
    /// The findings of the checks.
    var checks: [CheckReport] = []
    /// Nil if nothing had to be published, or publishing failed.
    package internal(set) var publication: Publication?
    /// The states of the log dates whose partitions are damaged.
    var damaged: [LogDate: LogDateState] = [:]
    /// Why publishing failed; nil if it did not.
    package internal(set) var failure: (any Error)?

    /// The most serious exit status.
    var status: ExitStatus {
        let isFaulty =
            closingWarnings.contains(where: \.isFault) || deliveries?.faults.isEmpty == false
            || checks.contains { $0.severity == .fail && !$0.finding.isNothing }
            || publication?.closing?.hindrance != nil
        let hasFailed = publication?.damaged.isEmpty == false || publication?.closing?.failure != nil
        return max(
            isFaulty ? .badData : .done, hasFailed ? .failedIO : .done, failure.map { ExitStatus(of: $0) } ?? .done)
    }

    /// - Parameters:
    ///   - isTold: whether the failure is told already.
    ///   - refused: log dates whose damage is told already.
    func notices(of pipeline: Pipeline, isTold: Bool, refused: Set<LogDate>) -> [Notice] {
        let failure = failure.flatMap { isTold ? nil : Message(of: $0) }
        let damaged = (publication?.damaged ?? []).filter { error in
            error.damage == nil || !(error.file.logDate.map(refused.contains) ?? false)
        }
        let errors = [failure].compactMap { $0 } + damaged.map(about)
        let warnings = [publication?.repair, publication?.goneMessage].compactMap { $0 }
        return aboutDeliveries + errors.map { Notice(.error, message: $0) }
            + warnings.map { Notice(.warning, message: $0) }
            + aboutChecks + aboutClosing(pipeline)
    }

    /// The message about a damaged partition, with what mends it.
    private func about(_ error: OutputError) -> Message {
        guard let date = error.file.logDate, let damage = error.damage,
            let remedy = damaged[date]?.remedyOfDamage, remedy != Remedy()
        else { return error.message }
        var message = Message.at(
            error.path, code: error.message.code,
            text: "the database is damaged (\(damage)); push.db lacks that log date")
        message.logDate = date
        message.remedy = remedy
        return message
    }

    private var aboutDeliveries: [Notice] {
        let warnings = (deliveries?.warnings ?? []) + [publication?.understated.message].compactMap { $0 }
        return (deliveries?.faults ?? []).map { Notice(.error, message: $0) }
            + warnings.map { Notice(.warning, message: $0) }
    }

    /// Notices about new findings, and one about findings that persist.
    private var aboutChecks: [Notice] {
        let new = checks.compactMap { check in
            check.finding.message.map { Notice(check.severity == .fail ? .error : .warning, message: $0) }
        }
        guard let former = checks.map(\.finding).formerMessage else { return new }
        let isFault = checks.contains { $0.severity == .fail && $0.finding.formerRows > 0 }
        // A known finding is told at a low level, so that it does not alert anybody again.
        return new + [Notice(isFault ? .error : .info, message: former)]
    }

    private func aboutClosing(_ pipeline: Pipeline) -> [Notice] {
        let warnings = closingWarnings.map { Notice($0.isObstacle ? .error : .warning, message: $0.message) }
        let isHindered = closingWarnings.contains { $0.isFault && !$0.isObstacle }
        let hindered = isHindered ? Message(.notClosed, text: "no log date was closed, see the warnings") : nil
        let closing = publication?.closing
        let errors = [
            hindered, closing?.hindranceMessage(windowDays: pipeline.windowDays), closing?.failure,
        ]
        return warnings + errors.compactMap { $0 }.map { Notice(.error, message: $0) }
    }
}
