import Calendar
import Configuration
import LogFiles
import Messages
import Output
import Partitions

extension PipelineRun {
    /// About ten years, in days.
    private static let longestGap = 3653

    /// The states of all log dates in a range, from the first to the last that is loaded, held back or has files.
    /// Writes nothing. Reads at most `readLimit` bytes of logs and partitions, the latest log dates first.
    ///
    /// - Throws: `OutputError` if the partitions cannot be listed or read; `Fault`, as `closedDates`; or `Stopped`.
    package func knownLogDates(in range: DateRange, readLimit: Int) throws -> KnownLogDates {
        try database.refuseOtherVersions()
        var known = KnownLogDates()
        let loaded = try output.logDates()
        var dates = Set(loaded).union(try output.heldDates())
        var unsearched: [String: FilePatterns] = [:]
        let yesterday = LogDate.today(in: pipeline.zone).adding(days: -1)
        let judged = LogDate.dates(from: yesterday.adding(days: 1 - KnownLogDates.judgedDates), through: yesterday)
        for source in pipeline.sources {
            guard source.files.withDate.atURIs.isEmpty else {
                // Only Hadoop can list the files.
                unsearched[source.name] = source.files
                continue
            }
            let (files, absent) = source.files.withDate.parted(in: pipeline.folder)
            if let folder = absent.missingFolder(in: pipeline.folder) {
                // The disk may not be mounted, so nothing is known about the files.
                unsearched[source.name] = absent
                known.warnings.append(
                    Message(
                        .missingFolder,
                        text: """
                            source '\(source.name)': the folder \(path: folder) does not exist; check 'files' in \
                            \(pipeline.file); its files were not compared
                            """))
            }
            do {
                dates.formUnion(try files.dates(in: pipeline.folder))
                // Patterns without the year have files of dates that are asked for.
                if !files.hasYear { dates.formUnion(try files.files(on: judged, in: pipeline.folder).keys) }
            } catch {
                known.failures.append(error)
            }
        }
        let ordered = PipelineRun.withGaps(dates.sorted()).filter(range.contains)
        let closed = try closedDates()
        known.closedThrough = closed?.through
        var check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        check.unsearched = unsearched
        check.readLimit = readLimit
        let found = FoundInputs(pipeline, dates: ordered, dated: true)
        known.states = try check.states(of: ordered, in: found)
        let warnings = try database.warnings()
        for index in known.states.indices {
            known.states[index].warnings = warnings[known.states[index].date] ?? LoadWarnings()
        }
        return known
    }

    /// The published log dates that were loaded with another pipeline file. Nil if there are none. Also nil where
    /// push.db or a partition cannot be read, or where only Hadoop can list the files. Searches for the files, but
    /// reads none.
    ///
    /// - Throws: `Stopped`.
    package func formerPipeline() throws(Stopped) -> FormerPipeline? {
        let fingerprint = pipeline.fingerprint
        guard let pipelines = try? database.pipelines(),
            pipelines.contains(where: { $0.value != fingerprint }),
            pipeline.sources.allSatisfy(\.files.atURIs.isEmpty)
        else { return nil }
        // The commands that need the record report its errors.
        let closed = (try? ClosedDates(in: output)) ?? nil
        let dates = pipelines.filter { $1 != fingerprint && closed?.holds($0) != true }.keys.sorted()
        guard !dates.isEmpty else { return nil }
        var check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        check.readLimit = 0
        do {
            let states = try check.states(of: dates, in: FoundInputs(pipeline, dates: dates, dated: true))
            return FormerPipeline(states, loaded: pipelines.keys)
        } catch let error as Stopped {
            throw error
        } catch {
            // This is only told, after all is published. Commands that need the partition report its error.
            return nil
        }
    }

    /// The states of log dates that publishing has found damaged. None where their files cannot be compared: then the
    /// damage alone is told. Reads at most 256 MiB of logs and partitions.
    ///
    /// - Throws: `Stopped`.
    func damagedStates(_ dates: [LogDate]) throws(Stopped) -> [LogDate: LogDateState] {
        guard !dates.isEmpty, pipeline.sources.allSatisfy(\.files.atURIs.isEmpty) else { return [:] }
        // The commands that need the record report its errors.
        let closed = (try? ClosedDates(in: output)) ?? nil
        var check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        check.readLimit = 256 << 20
        do {
            let states = try check.states(of: dates, in: FoundInputs(pipeline, dates: dates, dated: true))
            let known = states.filter { $0.partition == .damaged && $0.uncompared.isEmpty }
            return Dictionary(uniqueKeysWithValues: known.map { ($0.date, $0) })
        } catch let error as Stopped {
            throw error
        } catch {
            return [:]
        }
    }

    /// Fills the gaps between log dates. If the first and the last are ten years apart or more, one of them must be
    /// wrong, and the gaps stay.
    private static func withGaps(_ dates: [LogDate]) -> [LogDate] {
        guard let first = dates.first, let last = dates.last, last.days(since: first) < longestGap else {
            return dates
        }
        return LogDate.dates(from: first, through: last)
    }
}

extension PipelineRun {
    /// Which log dates are closed; nil if none is.
    ///
    /// - Throws: `Fault` if the settings are not those of the settled figures; `OutputError`.
    func closedDates() throws -> ClosedDates? {
        let closed = try ClosedDates(in: output)
        try closed?.check(settings)
        return closed
    }

    /// Which log dates a publishing is to close; nil without `retention`.
    /// - Parameter loads: log dates that are still to be loaded.
    func closingPlan(
        _ request: RetentionRequest, by loader: any LogDateLoader, after loads: [LogDate] = []
    ) throws -> ClosingPlan? {
        try checkRetention(request)
        guard let idDays = pipeline.idDays else { return nil }
        let check = InputCheck(
            pipeline: pipeline, output: output, resources: resources, closed: try ClosedDates(in: output))
        return try ClosingPlan(from: check, for: request, idDays: idDays, by: loader, after: Set(loads))
    }

    /// What the next publishing would close, settle and erase if these log dates were loaded before, and what stands in
    /// the way; nil without `retention`. Writes nothing.
    package func closingForecast(
        _ request: RetentionRequest, after loads: [LogDate]
    ) throws -> (result: ClosingResult, warnings: [ClosingPlan.Warning])? {
        try closingPlan(request, by: localLoader, after: loads).map { plan in
            let result = try plan.closing.map { try database.forecast(of: $0, after: loads, settings: settings) }
            return (result ?? ClosingResult(), plan.warnings)
        }
    }

    /// Refuses a request that needs `retention` if the pipeline has none: to settle, or to give up a log date that is
    /// not closed. Such a log date cannot be given up either as long as none is loaded: nothing would remember it.
    func checkRetention(_ request: RetentionRequest) throws {
        guard request.isGiven else { return }
        let closed = try ClosedDates(in: output)
        let givesUpOpenDate = request.givenUp.map { closed?.holds($0) != true } ?? false
        if pipeline.idDays == nil, request.isSettling || givesUpOpenDate {
            throw RetentionRequestError("The pipeline file has no 'retention'.")
        }
        let today = LogDate.today(in: pipeline.zone)
        if givesUpOpenDate, try !output.logDates().contains(where: { $0 <= today && output.partition(of: $0) != nil }) {
            throw RetentionRequestError("No log date is loaded, so there is nothing to give up.")
        }
    }

    /// Gives up the figures of a closed log date. `ClosingPlan` handles a log date that is not closed.
    func giveUp(_ request: RetentionRequest, in locked: LockedOutput) throws {
        guard let date = request.givenUp, var closed = try ClosedDates(in: output), closed.holds(date) else { return }
        if closed.givenUp.contains(date) { return }
        guard !hasWholeFigures(of: date, closed: closed) else {
            throw RetentionRequestError("Nothing of \(date) is missing or damaged, so there is nothing to give up.")
        }
        guard closed.giveUp(date) else {
            throw RetentionRequestError("\(date) is closed, and nothing of it was loaded.")
        }
        try closed.write(in: locked)
    }

    /// Whether the partition of a closed log date is whole, with the figures and ids that it must have.
    private func hasWholeFigures(of date: LogDate, closed: ClosedDates) -> Bool {
        guard closed.wasLoaded(date) else { return false }
        do {
            let partition = try Partition(of: date, in: output)
            try partition.verify()
            let summary = try Optional(closed).accepted(.sound(partition.summary), of: date, in: output)
            return !closed.isSettled(date) || summary?.settled == closed.dates[date]?.settled
        } catch {
            // Whatever the error is, the figures cannot be read.
            return false
        }
    }
}

extension PipelineRun {
    /// Asks the pipeline's checks. `ask` runs the SQL of one check.
    func checkReports(_ ask: (_ name: String, _ sql: String) throws -> CheckFinding?) throws -> [CheckReport] {
        try pipeline.checks.compactMap { check in
            // The figures are published already. The next command asks the checks again.
            if resources.stop.isRaised { return nil }
            return try ask(check.name, check.sql).map { CheckReport(severity: check.severity, finding: $0) }
        }
    }
}
