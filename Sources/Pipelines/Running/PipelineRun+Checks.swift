import Configuration
import Messages
import Output
import Partitions

extension PipelineRun {
    /// Asks the checks of push.db, once it is published, and keeps what they found for the report.
    func runChecks(_ report: inout RunReport, in held: HeldOutput) throws(WarehouseError) {
        guard report.publication != nil else { return }
        var findings: [CheckFinding] = []
        for check in pipeline.checks {
            guard let answer = try database.answer(to: check.sql) else { continue }
            let message = check.message(about: answer)
            findings.append(
                CheckFinding(
                    name: check.name, rows: answer.hindrance == nil ? answer.rows : nil,
                    sentence: message?.words))
            if let message { report.checks.append(CheckReport(severity: check.severity, message: message)) }
        }
        try database.keep(findings, in: held)
    }
}

extension Check {
    /// Nil if it has found nothing.
    fileprivate func message(about answer: CheckAnswer) -> Message? {
        if let hindrance = answer.hindrance {
            return Message("check_unfinished", "check '\(name)' could not be answered: \(hindrance)")
        }
        guard answer.rows > 0 else { return nil }
        let count = answer.isCut ? "more than \(Text.number(answer.rows)) rows" : Text.plural(answer.rows, "row")
        let first = answer.first.map { column, value -> MessageText in "\(column) \(value)" }.joined(separator: ", ")
        return Message(
            "check_found", "check '\(name)' found \(count)\(answer.rows > 1 ? ", the first:" : ":") " + first)
    }
}
