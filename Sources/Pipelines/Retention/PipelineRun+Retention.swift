import Calendar
import Messages
import Output
import Partitions

extension PipelineRun {
    /// Which log dates are closed; nil if none is.
    ///
    /// - Throws: `Fault` if the settings are not those of the settled figures; `WarehouseError`.
    func closedDates() throws -> ClosedDates? {
        let closed = try ClosedDates(in: output)
        try closed?.check(settings)
        return closed
    }

    /// Which log dates a publishing is to close; nil without `retention`.
    package func closingPlan(_ request: RetentionRequest, by loader: any LogDateLoader) throws -> ClosingPlan? {
        guard let idDays = pipeline.idDays else {
            if request.isSettling || request.skipped != nil {
                throw RetentionRequestError("The pipeline file has no 'retention'.")
            }
            return nil
        }
        let check = InputCheck(
            pipeline: pipeline, output: output, resources: resources, closed: try ClosedDates(in: output))
        return try ClosingPlan(check, request, idDays: idDays, by: loader)
    }

    /// What the next publishing would close, settle and erase, by what is loaded now, and what stands in the way; nil without
    /// `retention`. Writes nothing.
    package func closingForecast(
        _ request: RetentionRequest
    ) throws -> (result: ClosingResult, warnings: [ClosingPlan.Warning])? {
        try closingPlan(request, by: localLoader).map { plan in
            (
                try plan.closing.map { try ClosingForecast($0, in: output, settings).result } ?? ClosingResult(),
                plan.warnings
            )
        }
    }

    /// Gives up the figures of a closed log date.
    func forget(_ request: RetentionRequest, in held: HeldOutput) throws {
        guard let date = request.forgotten else { return }
        if !resources.force, let closed = try ClosedDates(in: output),
            hasWholeFiles(Int32(date.dayNumber), closed)
        {
            throw RetentionRequestError(
                "Nothing of \(date) is missing or damaged; to give its figures up all the same, add --force.")
        }
        guard try ClosedDates.forget(Int32(date.dayNumber), in: held) else {
            throw RetentionRequestError("\(date) is not a closed log date with figures.")
        }
    }

    /// Whether the figures of a closed log date can be read, and the ids that others need.
    private func hasWholeFiles(_ logDate: Int32, _ closed: ClosedDates) -> Bool {
        guard closed.wasLoaded(logDate) else { return false }
        do {
            if closed.isSettled(logDate) { try SettledFile.open(logDate, closed, in: output).verify() }
            if closed.isErasable(logDate) { return true }
            try ClosedPartitions(closed).partition(of: logDate, in: output).verify()
            return true
        } catch {
            // Whatever it is, they cannot be read.
            return false
        }
    }
}
