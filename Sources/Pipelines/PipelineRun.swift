import Foundation
import LogFiles
import Warehouse

/// The ways in which a command ends, gravest last.
package enum ExitStatus: Int32, Comparable, Sendable {
    case done = 0
    case noInput = 66
    case badData = 65
    case busy = 75
    case badPipeline = 78
    case failedIO = 74
    case internalFault = 70

    private var gravity: Int {
        switch self {
        case .done: 0
        case .noInput: 1
        case .badData: 2
        case .busy: 3
        case .badPipeline: 4
        case .failedIO: 5
        case .internalFault: 6
        }
    }

    package static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.gravity < b.gravity }
}

/// What a command that loads came to.
package struct RunReport: Sendable {
    package internal(set) var dates: [LogDateReport] = []
    /// Nil if nothing was published because nothing had to be, or because it failed.
    package internal(set) var publication: Publication?
    package internal(set) var publishingFailure: (any Error)?
    package internal(set) var seconds = 0.0

    /// The gravest of all log dates' and the publishing's.
    package var status: ExitStatus {
        var statuses = dates.filter { !$0.hasNoFiles }.map(\.status)
        if !dates.isEmpty && statuses.isEmpty { statuses.append(.noInput) }
        if let publishingFailure { statuses.append(ExitStatus(of: publishingFailure)) }
        if let publication, !publication.damaged.isEmpty { statuses.append(.failedIO) }
        return statuses.max() ?? .done
    }
}

extension LogDateReport {
    package var hasNoFiles: Bool {
        if case .noFiles = verdict { true } else { false }
    }

    package var status: ExitStatus {
        switch verdict {
        case .complete: .done
        case .partial, .completeOneKept, .tooManyRejects, .damagedFiles: .badData
        case .noFiles: .noInput
        case .failed(let error): ExitStatus(of: error)
        }
    }
}

extension ExitStatus {
    /// What an error that nothing else explains means for the caller.
    package init(of error: any Error) {
        switch error {
        case is AccountsError: self = .internalFault
        case WarehouseError.disorder: self = .internalFault
        case WarehouseError.busy, OutputLockError.held: self = .busy
        case is PipelineFileError: self = .badPipeline
        default: self = .failedIO
        }
    }
}

/// Loads log dates one after the other and publishes once at the end.
package struct PipelineRun: Sendable {
    package let pipeline: Pipeline
    package let output: OutputFolder
    package let means: RunMeans

    package init(_ pipeline: Pipeline, output: String? = nil, means: RunMeans) {
        self.pipeline = pipeline
        self.output = OutputFolder(output ?? pipeline.output)
        self.means = means
    }

    package var settings: PublicationSettings {
        PublicationSettings(
            zone: pipeline.zone, zoneName: pipeline.zoneName, windowDays: pipeline.windowDays,
            sourceNames: pipeline.sources.map(\.name))
    }

    /// `command` is what `runs` tells of it, and what others are told that wait for it. Log dates that fail do not
    /// stop the others; a raised stop flag does.
    ///
    /// - Throws: `Stopped`, or what keeps the command from beginning at all.
    package func load(_ dates: [LogDate], command: String) throws -> RunReport {
        let started = Date()
        let begin = ContinuousClock.now
        var report = RunReport()
        let plans = try dates.map { try LogDatePlan(pipeline, date: $0) }
        guard plans.contains(where: { !$0.files.isEmpty }) else {
            report.dates = plans.map { LogDateLoad(plan: $0, output: output, means: means).run() }
            return report
        }
        try output.create()
        let lock = try OutputLock(
            folder: output.partitionsPath, output: output.path, holder: OutputLock.holder(command, since: started))
        try output.removeLeftovers()
        for plan in plans {
            try means.stop.check()
            let dateReport = LogDateLoad(plan: plan, output: output, means: means).run()
            if case .failed(let error) = dateReport.verdict, error is Stopped { throw error }
            report.dates.append(dateReport)
        }
        try publish(&report, command: command, started: started, begin: begin)
        report.seconds = (ContinuousClock.now - begin) / .seconds(1)
        lock.release()
        return report
    }

    private func publish(
        _ report: inout RunReport, command: String, started: Date, begin: ContinuousClock.Instant
    ) throws {
        try means.stop.check()
        means.progress.enter(.publishing)
        let database = OutputDatabase(output)
        let installed = report.dates.filter(\.isInstalled)
        do {
            guard try !installed.isEmpty || !database.isCurrent(settings) else { return }
            let status = report.status
            report.publication = try database.publish(settings, means: publicationMeans) { changed in
                guard changed || !installed.isEmpty else { return nil }
                let seconds = (ContinuousClock.now - begin) / .seconds(1)
                return RunRecord(
                    startedAt: Int64(started.timeIntervalSince1970 * 1000),
                    finishedAt: Int64(Date().timeIntervalSince1970 * 1000), command: command,
                    logDates: installed.map(\.date.description).joined(separator: " "),
                    exitCode: Int(status.rawValue), records: report.dates.reduce(0) { $0 + $1.tally.records },
                    seconds: seconds, version: programVersion)
            }
        } catch WarehouseError.stopped {
            throw Stopped()
        } catch {
            report.publishingFailure = error
        }
    }

    private var publicationMeans: PublicationMeans {
        let (jobs, stop) = (means.jobs, means.stop)
        return PublicationMeans(
            memory: means.memory, workers: jobs,
            fanout: { pieces, body in Fanout.run(jobs: jobs, pieces: pieces, body) }, isStopped: { stop.isRaised })
    }
}

extension OutputLock {
    /// What the lock tells of its holder.
    static func holder(_ command: String, since start: Date) -> String {
        "pushetl \(command), process \(getpid()), since \(start.formatted(.iso8601))"
    }
}
