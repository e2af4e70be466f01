import Configuration
import Messages
import Output
import Partitions

extension RunReport {
    /// All that a person should know about the command.
    package func notices(_ request: DateRequest, of pipeline: Pipeline) -> [Notice] {
        aboutLoads(request, pipeline) + aboutDeliveries + aboutPublication + aboutClosing(pipeline)
    }

    private func aboutLoads(_ request: DateRequest, _ pipeline: Pipeline) -> [Notice] {
        // What was read again is told with its own report.
        let read = Set(dates.map(\.date))
        let earlier = earlierLoads.filter { !read.contains($0.date) }.flatMap { load in
            load.messages.map { Notice(.warning, $0.about(load.date)) }
        }
        let loads = dates.flatMap { date in
            date.hasNoFiles
                // It is only a warning if the command has loaded others.
                ? [Notice(status == .noInput ? .error : .warning, noFiles([date.date], of: pipeline))]
                : date.notices(isNamed: request.dates.count > 1)
        }
        let others = closed.compactMap(\.refused) + heldBack.compactMap(\.heldBack)
        let isNothing = dates.isEmpty && !hasInput
        return earlier + loads + others.map { Notice(.error, $0) }
            + (isNothing ? [Notice(.error, noFiles(request.dates, of: pipeline))] : [])
    }

    private var aboutDeliveries: [Notice] {
        let warnings = (deliveries?.warnings ?? []) + [publication?.understated.message].compactMap { $0 }
        return (deliveries?.faults ?? []).map { Notice(.error, $0) } + warnings.map { Notice(.warning, $0) }
    }

    private var aboutPublication: [Notice] {
        let failure = publishingFailure.flatMap { isTold($0) ? nil : Message(of: $0) }
        let errors = [failure].compactMap { $0 } + (publication?.damaged ?? []).map(\.message)
        let former = isNewPipeline ? formerPipeline?.messages ?? [] : []
        let warnings = [publication?.repair, publication?.goneMessage].compactMap { $0 } + former
        return errors.map { Notice(.error, $0) } + warnings.map { Notice(.warning, $0) } + aboutChecks
    }

    /// What the checks found, and what they still find.
    private var aboutChecks: [Notice] {
        let new = checks.compactMap { check in
            check.finding.message.map { Notice(check.severity == .fail ? .error : .warning, $0) }
        }
        guard let former = checks.map(\.finding).formerMessage else { return new }
        let isFault = checks.contains { $0.severity == .fail && $0.finding.formerRows > 0 }
        // What is known is no news: nobody is woken by it.
        return new + [Notice(isFault ? .error : .info, former)]
    }

    private func aboutClosing(_ pipeline: Pipeline) -> [Notice] {
        let warnings = closingWarnings.map { Notice($0.isObstacle ? .error : .warning, $0.message) }
        var errors: [Message] = []
        if closingWarnings.contains(where: { $0.isFault && !$0.isObstacle }) {
            errors.append(Message("not_closed", "no log date was closed, see the warnings"))
        }
        if let closing = publication?.closing {
            errors += [closing.hindranceMessage(windowDays: pipeline.windowDays), closing.failure?.message].compactMap {
                $0
            }
        }
        return warnings + errors.map { Notice(.error, $0) }
    }
}
