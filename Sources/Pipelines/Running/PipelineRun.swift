import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions

/// A command that loads log dates and publishes their figures.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    package let output: OutputFolder
    package let resources: RunResources

    package init(_ pipeline: Pipeline, output: String? = nil, resources: RunResources) {
        var pipeline = pipeline
        if let output { pipeline.output = output }
        self.pipeline = pipeline
        self.output = OutputFolder(pipeline.output)
        self.resources = resources
    }

    /// Loads log dates in this process.
    package var localLoader: LocalLoader { LocalLoader(pipeline, resources: resources) }

    package var settings: PublicationSettings { PublicationSettings(pipeline) }

    /// The states of the requested log dates, and whether each would be loaded, in order. Writes nothing.
    ///
    /// - Throws: `PipelineFileError` if a pattern is a URI, `Fault`, `OutputError`, or `Stopped`.
    package func forecast(_ request: DateRequest) throws -> [(state: LogDateState, isWanted: Bool)] {
        try pipeline.checkLocalFiles()
        try database.refuseOtherVersions()
        let found = FoundInputs(pipeline, dates: request.dates)
        let check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: try closedDates())
        let states = try check.states(of: request.dates, in: found)
        let wanted = request.wanted(Dictionary(uniqueKeysWithValues: states.map { ($0.date, $0) }))
        return states.map { ($0, wanted.contains($0.date)) }
    }

    /// Loads the log dates that a request wants, several at a time, and publishes once at the end. A log date that
    /// fails does not stop the others; a raised stop flag does.
    ///
    /// - Parameter loader: reads the files; made for this run.
    /// - Throws: `Stopped`, or an error before the first log date is loaded.
    package func load(_ request: DateRequest, by loader: any LogDateLoader) throws -> RunReport {
        try database.refuseOtherVersions()
        _ = try closedDates()
        let run = RunningCommand(command: request.command)
        // Only decides whether to tell of log dates of a former pipeline. If push.db cannot be read within a second,
        // they are told; publishing waits for it, or reports why it cannot be read.
        let isNew = (try? OutputDatabase(output, busyTimeout: 1).isPublished(with: settings)) != true
        let found = FoundInputs(pipeline, dates: request.dates, listing: try loader.listing(on: request.dates))
        var (loads, publishing) = try loadAndPublish(request, from: found, by: loader, run: run)
        publishing.damaged = try damagedStates(publishing.publication?.damaged.compactMap(\.file.logDate) ?? [])
        return RunReport(
            loads: loads, publishing: publishing, formerPipeline: try formerPipeline(), isNewPipeline: isNew,
            seconds: run.stopwatch.seconds)
    }

    private func loadAndPublish(
        _ request: DateRequest, from found: FoundInputs, by loader: any LogDateLoader, run: RunningCommand
    ) throws -> (LoadsReport, PublishingReport) {
        let isAsked = try isAsked(request, found: found)
        // With nothing else to do, changed delivery files are a reason to publish.
        let deliveries = !isAsked && database.exists ? DeliveryReading(pipeline, output: output) : nil
        guard isAsked || deliveries?.isChanged ?? false else {
            let loads = try load(request, from: found, by: nil)
            let checks = try checkReports(database.ask)
            try resources.stop.check()
            return (loads, PublishingReport(deliveries: deliveries, checks: checks))
        }
        let made = try output.create()
        defer { output.removeEmpty(made) }
        return try withLock(of: run) { locked in
            try checkRetention(request.retention)
            try giveUp(request.retention, in: locked)
            let loads = try load(request, from: found, by: (loader, locked))
            do {
                return (loads, try publish(loads, request: request, loader: loader, run: run, in: locked))
            } catch let error as Stopped {
                // Records a command that was stopped before it could publish. If the request itself is refused, nothing
                // has changed, and there is no row.
                if let row = run.record(loads, exitCode: resources.stop.exitCode) { try database.add(row, in: locked) }
                throw error
            }
        }
    }

    /// Whether there is anything to load or to publish, apart from delivery files.
    private func isAsked(_ request: DateRequest, found: FoundInputs) throws -> Bool {
        // An error of `needsPublishing` counts as a reason to go on: it is met again, and reported, under the lock.
        try request.dates.contains { !found.files(on: $0).isEmpty } || request.retention.isGiven
            || !output.heldDates().isEmpty
            || (try? needsPublishing(pipeline.idDays.map { _ in Closing(today: LogDate.today(in: pipeline.zone)) }))
                ?? true
    }

    /// Holds the output while `body` works.
    private func withLock<Result>(of run: RunningCommand, _ body: (LockedOutput) throws -> Result) throws -> Result {
        let since = run.stopwatch.started.formatted(.iso8601)
        let lock: OutputLock
        do {
            lock = try OutputLock(
                output, holder: "pushetl \(run.command), process \(getpid()), since \(since)",
                mayWait: resources.mayWaitForCommand)
        } catch {
            // A command that is stopped while it waits ends as one that is stopped.
            try resources.stop.check()
            throw error
        }
        try lock.locked.removeLeftovers()
        let result = try body(lock.locked)
        lock.locked.removeEmptyHeldFolder()
        lock.release()
        return result
    }

    /// Whether an earlier command has loaded something and not published it, or push.db or a partition was changed
    /// since.
    private func needsPublishing(_ closing: Closing?) throws -> Bool {
        do {
            return try !database.isCurrent(settings, closing: closing)
        } catch let error as OutputError where error.isDamage {
            return true
        }
    }

    /// Publishes the installed partitions.
    /// - Throws: `Stopped`, `RetentionRequestError`. Other errors are part of the report: the loads stand.
    private func publish(
        _ loads: LoadsReport, request: DateRequest, loader: any LogDateLoader, run: RunningCommand,
        in locked: LockedOutput
    ) throws -> PublishingReport {
        var report = PublishingReport()
        do {
            try resources.stop.check()
            resources.progress.update { $0.stage = .publishing }
            let plan = try closingPlan(request.retention, by: loader)
            report.closingWarnings = plan?.warnings ?? []
            if try database.exists || !output.logDates().isEmpty {
                report.deliveries = DeliveryReading(pipeline, output: output)
            }
            // Without `retention` there is no plan. A plan without a closing leaves all as it is, such as under a
            // narrower window.
            let closing = plan.map(\.closing) ?? request.retention.givenUp.map { _ in Closing() }
            guard
                try loads.dates.contains(where: \.isInstalled) || !loads.records.isEmpty
                    || report.deliveries?.isChanged ?? false || needsPublishing(closing)
            else {
                report.checks = try checkReports(database.ask)
                return report
            }
            return try publish(loads, report: report, closing: closing, run: run, in: locked)
        } catch is Stopped {
            throw Stopped(isResumable: true)
        } catch let error as RetentionRequestError {
            throw error
        } catch {
            report.failure = error
            return report
        }
    }

    /// - Parameter report: the report so far. It is returned with the results of publishing.
    private func publish(
        _ loads: LoadsReport, report: PublishingReport, closing: Closing?, run: RunningCommand,
        in locked: LockedOutput
    ) throws -> PublishingReport {
        var publishing = resources.publishing
        publishing.justLoaded = Set(loads.dates.filter(\.isLoaded).map(\.date))
        publishing.justWritten = Set(loads.dates.filter(\.isInstalled).map(\.date))
        var settings = settings
        settings.deliveries = report.deliveries?.accepted
        var concluded = report
        var isWritten = false
        concluded.publication = try database.publish(
            PublishRequest(settings: settings, resources: publishing, closing: closing, loads: loads.records) {
                written in
                isWritten = true
                concluded.checks = try checkReports(written.ask)
                let status = max(loads.status, concluded.status, written.hasDamage ? .failedIO : .done)
                return Conclusion(
                    // A stopped command has not asked all checks, so it must not replace the findings.
                    findings: resources.stop.isRaised ? nil : concluded.checks.map(\.finding),
                    run: run.record(loads, exitCode: status.rawValue, changed: written.isChanged))
            }, in: locked)
        if !isWritten { concluded.checks = try checkReports(database.ask) }
        for date in concluded.publication?.logDates ?? [] { PendingLoad.remove(date, in: locked) }
        return concluded
    }

    package var database: OutputDatabase { resources.database(of: output) }
}

extension RunResources {
    package func database(of folder: OutputFolder) -> OutputDatabase {
        let progress = progress
        let wait = wait
        let stop = stop
        return OutputDatabase(
            // A command waits so long in all, and always a second.
            folder, busyTimeout: max(min(1, Double(wait)), Double(wait) - progress.now.waited),
            isStopped: { stop.isRaised },
            didWait: { progress.didWait($0, of: wait, for: .reader) })
    }

    /// Whether a command that has waited so long for another one may go on waiting.
    func mayWaitForCommand(_ seconds: Double) -> Bool {
        guard seconds < Double(wait), !stop.isRaised else { return false }
        progress.didWait(seconds, of: wait, for: .command)
        return true
    }

    package var publishing: PublishingResources {
        let jobs = jobs
        let stop = stop
        let progress = progress
        return PublishingResources(
            memory: memory, workers: FanoutWorkers(count: max(1, jobs), progress: progress),
            isStopped: { stop.isRaised })
    }
}

extension OutputDatabase {
    /// Compares push.db with the partitions. Writes nothing.
    ///
    /// - Parameter pipeline: nil for the settings that push.db was published with.
    /// - Throws: `OutputError`, or `Fault` if another command is at work, since it may change both.
    package func audit(_ pipeline: Pipeline?, resources: RunResources) throws -> OutputAudit {
        do {
            try OutputLock.checkFree(
                folder: folder.partitionsPath, output: folder.path, mayWait: resources.mayWaitForCommand)
        } catch {
            try resources.stop.check()
            throw error
        }
        let settings = try pipeline.map { PublicationSettings($0) } ?? publishedSettings(Pipelines.programVersion)
        // The audit itself reports a record that cannot be read.
        if let closed = try? ClosedDates(in: folder) { try closed.check(settings) }
        let audit = try audit(settings, resources: resources.publishing)
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        return audit
    }
}

/// A command that is running.
private struct RunningCommand {
    let command: String
    let stopwatch = Stopwatch()

    /// The row of `runs`; nil if the command neither read a log date nor changed push.db.
    func record(_ loads: LoadsReport, exitCode: Int32, changed: Bool = false) -> RunRecord? {
        let dates = loads.dates.filter { $0.record != nil }.map(\.date)
        guard changed || !dates.isEmpty || !loads.earlier.isEmpty else { return nil }
        let read = Set(dates).union(loads.dates.filter(\.isUnchanged).map(\.date)).sorted()
        return RunRecord(
            startedAt: stopwatch.started.milliseconds, finishedAt: stopwatch.finished.milliseconds, command: command,
            logDates: read.map(\.description).joined(separator: " "), exitCode: Int(exitCode),
            records: loads.dates.reduce(0) { $0 + $1.tally.records },
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
            pipeline.hasOtherOffsets(than: summary.zone, on: summary.logDate, days: summary.windowDays)
        }
    }
}
