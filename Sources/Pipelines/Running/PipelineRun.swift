import Calendar
import Configuration
import Foundation
import LogFiles
import Output
import Partitions

/// A command that loads log dates and publishes their figures.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    package let output: OutputFolder
    package let resources: RunResources

    package init(_ pipeline: Pipeline, output: String? = nil, resources: RunResources) {
        self.pipeline = pipeline
        self.output = OutputFolder(output ?? pipeline.output)
        self.resources = resources
    }

    /// Loads log dates in this process.
    package var localLoader: LocalLoader { LocalLoader(pipeline, resources) }

    package var settings: PublicationSettings { PublicationSettings(pipeline) }

    /// The states of the requested log dates, and whether each would be loaded, in order. Writes nothing.
    ///
    /// - Throws: `PipelineFileError` if a pattern is a URI, `Fault`, `WarehouseError`, or `Stopped`.
    package func forecast(_ request: DateRequest) throws -> [(state: LogDateState, isWanted: Bool)] {
        try pipeline.checkLocalFiles()
        try database.refuseFormer()
        let found = FoundInputs(pipeline, dates: request.dates)
        let check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: try closedDates())
        let states = try check.findings(request.dates, found).map(\.state)
        let wanted = request.wanted(Dictionary(uniqueKeysWithValues: states.map { ($0.date, $0) }))
        return states.map { ($0, wanted.contains($0.date)) }
    }

    /// Loads the log dates that a request wants, several at a time, and publishes once at the end. A log date that fails does
    /// not stop the others; a raised stop flag does.
    ///
    /// - Parameter loader: reads the files; made for this run.
    /// - Throws: `Stopped`, or an error before the first log date is loaded.
    package func load(_ request: DateRequest, by loader: any LogDateLoader) throws -> RunReport {
        try database.refuseFormer()
        _ = try closedDates()
        let stopwatch = Stopwatch()
        var report = RunReport()
        report.isNewPipeline = (try? database.publishedPipeline()) != pipeline.fingerprint
        let found = FoundInputs(pipeline, dates: request.dates, listing: try loader.listing(on: request.dates))
        let today = LogDate.today(in: pipeline.zone)
        guard
            try request.dates.contains(where: { !found.files(on: $0).isEmpty }) || request.retention.isGiven
                || !output.heldDates().isEmpty
                || (try? needsPublishing(pipeline.idDays.map { _ in Closing(today: today) })) ?? true
                || notesDeliveries(&report)
        else {
            report.hasInput = false
            try loadWanted(request, found, nil, &report)
            report.checks = try checkReports(database.ask)
            try resources.stop.check()
            report.formerPipeline = try formerPipeline()
            return report
        }
        let made = try output.create()
        defer { output.removeEmpty(made) }
        try loadHolding(
            request, found, loader,
            RunningCommand(command: request.command, stopwatch: stopwatch), &report)
        report.formerPipeline = try formerPipeline()
        report.seconds = stopwatch.seconds
        return report
    }

    /// Loads and publishes while it holds the output's lock.
    private func loadHolding(
        _ request: DateRequest, _ found: FoundInputs, _ loader: any LogDateLoader, _ run: RunningCommand,
        _ report: inout RunReport
    ) throws {
        let lock = try OutputLock(
            output,
            holder: "pushetl \(run.command), process \(getpid()), since \(run.stopwatch.started.formatted(.iso8601))")
        let held = lock.held
        try held.removeLeftovers()
        try checkRetention(request.retention)
        try giveUp(request.retention, in: held)
        try loadWanted(request, found, (loader, held), &report)
        // Past dates that need nothing do not count as input.
        report.hasInput =
            request.always != nil
            ? report.dates.contains { !$0.hasNoFiles } || report.closed.contains { $0.files > 0 }
            : request.dates.isEmpty || request.dates.contains { !found.files(on: $0).isEmpty }
        do {
            try publish(&report, request, loader, run, in: held)
        } catch let error as Stopped {
            // The row of a command that was stopped before it could publish. One that is refused changes nothing.
            if let row = run.record(report, exitCode: resources.stop.exitCode) { try database.add(row, in: held) }
            throw error
        }
        held.removeEmptyHeldFolder()
        lock.release()
    }

    /// Whether an earlier command has loaded something and not published it, or push.db or a partition was changed since.
    private func needsPublishing(_ closing: Closing?) throws(WarehouseError) -> Bool {
        do throws(WarehouseError) {
            return try !database.isCurrent(settings, closing: closing)
        } catch {
            guard error.isDamage else { throw error }
            return true
        }
    }

    /// Reads the delivery files if there is an output. Returns whether they have changed.
    private func notesDeliveries(_ report: inout RunReport) -> Bool {
        guard database.exists else { return false }
        let deliveries = DeliveryReading(pipeline, output: output)
        report.deliveries = deliveries
        return deliveries.isChanged
    }

    /// Loads what the request wants.
    /// - Parameter loading: nil if the output is not locked and nothing is to be written: no log date has files then.
    private func loadWanted(
        _ request: DateRequest, _ found: FoundInputs, _ loading: (loader: any LogDateLoader, held: HeldOutput)?,
        _ report: inout RunReport
    ) throws {
        let closed = try closedDates()
        let check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        let compared = request.dates.filter { date in
            date != request.always || closed?.holds(date) ?? false
        }
        var states: [LogDate: LogDateState] = [:]
        for finding in try check.findings(compared, found) {
            states[finding.state.date] = finding.state
            // Without the record nobody knows what is closed, so nothing is loaded.
            if case .retention(let fault)? = finding.state.damage, fault.isOfRecord {
                throw WarehouseError.retention(fault)
            }
            if let loading { finding.remembered?.write(finding.state.date, in: loading.held) }
        }
        if let loading { try endHolds(Array(states.values), check, in: loading.held) }
        let wanted = request.wanted(states)
        report.skipped = request.dates.filter { !wanted.contains($0) }.compactMap { states[$0] }
        report.heldBack = report.skipped.filter(request.isHeldBack)
        let dates = request.dates.filter(wanted.contains)
        report.dates =
            try loading.map { try $0.loader.load(dates, found, in: $0.held) }
            ?? dates.map { LogDateReport($0, found) }
        for index in report.dates.indices { report.dates[index].stateBefore = states[report.dates[index].date] }
        if let loading { try compareWithFormerDates(&report, in: loading.held) }
    }

    /// Ends the holds of log dates whose files and pipeline are again those of what is loaded, whatever was asked for.
    /// - Parameter states: what is known already.
    private func endHolds(_ states: [LogDateState], _ check: InputCheck, in held: HeldOutput) throws {
        let known = Set(states.map(\.date))
        let others = try output.heldDates().filter { !known.contains($0) }
        let findings = try check.findings(others, FoundInputs(pipeline, dates: others, dated: true))
        for state in states + findings.map(\.state) where state.isHoldOver { try HeldLoad.remove(state.date, in: held) }
    }

    /// Adds the warnings that need the earlier dates to stand: once all are loaded, they do. So it takes up the loads of commands
    /// that were killed before they could tell.
    private func compareWithFormerDates(_ report: inout RunReport, in held: HeldOutput) throws(WarehouseError) {
        noteStandingWarnings(&report)
        var usual = try UsualLoads(pipeline, output)
        let published = (try? database.publishedVersions()) ?? [:]
        let loaded = Set(report.dates.filter(\.isInstalled).map(\.date))
        report.earlierLoads = PendingLoad.dates(in: output).filter { !loaded.contains($0) }.compactMap { date in
            guard var load = PendingLoad(date, in: output), load.version != published[date],
                load.version == output.partition(of: date)?.summary.version
            else {
                // It is told already, or its partition never came.
                PendingLoad.remove(date, in: held)
                return nil
            }
            load.add(usual.warnings(date))
            // What was read again and came to the same is told once.
            for index in report.dates.indices where report.dates[index].date == date {
                report.dates[index].standingWarnings = load.recorded
            }
            return load
        }
        // Also if the command is stopped: what is loaded is not read again.
        for index in report.dates.indices {
            let date = report.dates[index].date
            guard report.dates[index].isLoaded else { continue }
            report.dates[index].otherWarnings += usual.warnings(date)
            report.dates[index].accept(isForced: resources.force)
        }
    }

    /// Reads the warnings of the partitions that were left as they are.
    private func noteStandingWarnings(_ report: inout RunReport) {
        guard report.dates.contains(where: { $0.versionOfSameFiles != nil }) else { return }
        let recorded = database.recordedWarnings()
        for index in report.dates.indices {
            guard let version = report.dates[index].versionOfSameFiles,
                let known = recorded[report.dates[index].date], known.version == version
            else { continue }
            report.dates[index].standingWarnings = known.warnings
        }
    }

    /// - Throws: `Stopped`.
    private func publish(
        _ report: inout RunReport, _ request: DateRequest, _ loader: any LogDateLoader, _ run: RunningCommand,
        in held: HeldOutput
    ) throws {
        do {
            try resources.stop.check()
            resources.progress.update { $0.stage = .publishing }
            report.publication = try publication(of: &report, request, loader, run, in: held)
        } catch WarehouseError.stopped {
            throw Stopped()
        } catch let error where error is Stopped || error is RetentionRequestError {
            throw error
        } catch {
            report.publishingFailure = error
        }
    }

    /// Publishes what is installed; nil if there was nothing to do.
    private func publication(
        of report: inout RunReport, _ request: DateRequest, _ loader: any LogDateLoader, _ run: RunningCommand,
        in held: HeldOutput
    ) throws -> Publication? {
        let installed = report.dates.filter(\.isInstalled)
        let plan = try closingPlan(request.retention, by: loader)
        report.closingWarnings = plan?.warnings ?? []
        if try database.exists || !output.logDates().isEmpty {
            report.deliveries = report.deliveries ?? DeliveryReading(pipeline, output: output)
        }
        let closing = plan?.closing ?? request.retention.givenUp.map { _ in Closing() }
        let loads = report.earlierLoads.map(\.record) + report.dates.compactMap(\.record)
        guard
            try !installed.isEmpty || !loads.isEmpty || report.deliveries?.isChanged ?? false
                || needsPublishing(closing)
        else {
            report.checks = try checkReports(database.ask)
            return nil
        }
        var publishing = resources.publishing
        publishing.justLoaded = Set(report.dates.filter(\.isLoaded).map(\.date))
        publishing.justWritten = Set(installed.map(\.date))
        var settings = settings
        settings.deliveries = report.deliveries?.accepted
        var concluded = report
        var isWritten = false
        let publication = try database.publish(
            PublishRequest(settings, publishing, closing: closing, loads: loads) { written in
                isWritten = true
                concluded.checks = try checkReports(written.ask)
                let code = concluded.status(hasDamage: written.hasDamage).rawValue
                return Conclusion(
                    // One that was stopped has not asked all of them.
                    findings: resources.stop.isRaised ? nil : concluded.checks.map(\.finding),
                    run: run.record(concluded, exitCode: code, changed: written.isChanged))
            }, in: held)
        report.checks = isWritten ? concluded.checks : try checkReports(database.ask)
        for date in publication.logDates { PendingLoad.remove(date, in: held) }
        return publication
    }

    package var database: OutputDatabase { resources.database(of: output) }
}

extension RunResources {
    package func database(of folder: OutputFolder) -> OutputDatabase {
        let (progress, wait, stop) = (progress, wait, stop)
        return OutputDatabase(
            folder, busyTimeout: Double(wait), isStopped: { stop.isRaised },
            didWait: { progress.didWait($0, of: wait) })
    }

    package var publishing: PublishingResources {
        let (jobs, stop, progress) = (jobs, stop, progress)
        return PublishingResources(
            memory: memory, workers: FanoutWorkers(count: max(1, jobs), progress: progress),
            isStopped: { stop.isRaised })
    }
}

extension OutputDatabase {
    /// Compares push.db with the partitions. Writes nothing.
    ///
    /// - Parameter pipeline: nil for the settings that push.db was published with.
    /// - Throws: `WarehouseError`, or `Fault` if another command is at work, since it may change both.
    package func audit(_ pipeline: Pipeline?, resources: RunResources) throws -> OutputAudit {
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        let settings = try pipeline.map { PublicationSettings($0) } ?? publishedSettings(Pipelines.programVersion)
        // A record that cannot be read is among what the audit finds.
        if let closed = try? ClosedDates(in: folder) { try closed.check(settings) }
        let audit = try audit(settings, resources: resources.publishing)
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        return audit
    }
}

/// A command that is running.
private struct RunningCommand {
    let command: String
    let stopwatch: Stopwatch

    /// The row of `runs`; nil if the command neither read a log date nor changed push.db.
    func record(_ report: RunReport, exitCode: Int32, changed: Bool = false) -> RunRecord? {
        let dates = report.dates.filter { $0.record != nil }.map(\.date)
        guard changed || !dates.isEmpty || !report.earlierLoads.isEmpty else { return nil }
        let read = Set(dates).union(report.dates.filter(\.isUnchanged).map(\.date)).sorted()
        return RunRecord(
            startedAt: stopwatch.started.milliseconds, finishedAt: stopwatch.finished.milliseconds, command: command,
            logDates: read.map(\.description).joined(separator: " "), exitCode: Int(exitCode),
            records: report.dates.reduce(0) { $0 + $1.tally.records },
            seconds: stopwatch.seconds, version: programVersion)
    }
}

extension PublicationSettings {
    /// The settings of a pipeline, without its deliveries.
    package init(_ pipeline: Pipeline) {
        self.init(
            zone: pipeline.zone, windowDays: pipeline.windowDays,
            sourceNames: pipeline.sources.map(\.name), pipeline: pipeline.fingerprint,
            programVersion: Pipelines.programVersion)
        requiredSources = pipeline.requiredSources
        checks = pipeline.checksFingerprint
        isReadByOtherRules = { summary in
            pipeline.hasOtherOffsets(than: summary.zone, on: summary.logDate, summary.windowDays)
        }
    }
}
