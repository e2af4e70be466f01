import Foundation
import Hashing
import LogFiles
import Posix
import Records
import Warehouse

/// Loads one log date: reads its files, and installs its partition unless the load is held back.
struct LogDateLoad {
    let plan: LogDatePlan
    let output: OutputFolder
    let resources: RunResources
    /// The log dates of the same command.
    let unfinished: UnfinishedDates

    func run() -> LogDateReport {
        let begin = ContinuousClock.now
        var report = LogDateReport(date: plan.date, verdict: .noFiles)
        resources.progress.begin(plan.date)
        defer { resources.progress.end(plan.date) }
        do {
            try load(&report)
        } catch let error as LogFileError where error.step != .inflate {
            hold(.unreadableFile(path: error.path, code: error.code), [], &report)
        } catch {
            report.verdict = .failed(error)
        }
        report.seconds = (ContinuousClock.now - begin) / .seconds(1)
        return report
    }

    private func load(_ report: inout LogDateReport) throws {
        guard !plan.files.isEmpty else { return }
        let foreignFiles = try plan.foreignFiles(jobs: resources.jobs, stop: resources.stop)
        guard foreignFiles.isEmpty else {
            report.files = plan.files.count
            report.bytes = plan.files.reduce(0) { $0 + $1.found.bytes }
            return hold(.foreignFiles(foreignFiles), [], &report)
        }
        resources.progress.update { $0.stage = .reading }
        let reading = try plan.read(
            jobs: resources.jobs, memory: resources.memory, spillFolder: output.partitionsPath,
            progress: resources.progress, stop: resources.stop)
        let isWhole = summarise(reading, into: &report)
        let status: PartitionStatus = isWhole && plan.missingSources.isEmpty ? .complete : .partial

        if let reason = holdReason(reading.results, isWhole: isWhole, status, report) {
            hold(reason, reading.results, &report)
        } else if let reason = try checkVolume(reading.results, &report) {
            hold(reason, reading.results, &report)
        } else {
            resources.progress.update { $0.stage = .merging }
            try install(reading, status, &report)
            report.verdict = status == .complete ? .complete : .partial
        }
    }

    /// Why the load must not replace the installed partition; nil if it may.
    private func holdReason(
        _ results: [FileResult], isWhole: Bool, _ status: PartitionStatus, _ report: LogDateReport
    ) -> HoldReason? {
        let tally = report.tally
        if !isWhole && plan.pipeline.damagedFiles == .fail {
            return .damagedFiles(paths: results.filter { $0.report.status != .ok }.map(\.file.found.path))
        }
        if !resources.force, Double(tally.rejected) / Double(max(1, tally.records)) > plan.pipeline.rejectRatio {
            return .tooManyRejects(
                rejected: tally.rejected, records: tally.records, limit: plan.pipeline.rejectRatio)
        }
        if status == .partial && !resources.force && standing?.status == .complete {
            return .partial(causes: report.partialCauses)
        }
        return nil
    }

    /// Compares the volume of each source with that of earlier log dates, once these stand. Adds warnings, or returns why
    /// the load must not replace the installed partition.
    private func checkVolume(_ results: [FileResult], _ report: inout LogDateReport) throws(Stopped) -> HoldReason? {
        guard plan.pipeline.volume != .off else { return nil }
        try unfinished.wait(for: FormerWeeks.dates(before: plan.date), stop: resources.stop)
        let deviations = FormerWeeks(before: plan.date, in: output).deviations(plan.volumes(results))
        guard !deviations.isEmpty else { return nil }
        if plan.pipeline.volume == .hold && !resources.force { return .unusualVolume(deviations) }
        report.warnings += deviations.map { .unusualVolume($0) }
        return nil
    }

    /// Leaves the installed partition alone, and stores why this load was held back.
    private func hold(_ reason: HoldReason, _ results: [FileResult], _ report: inout LogDateReport) {
        report.verdict = .heldBack(reason)
        let rejects = results.flatMap(\.rejects)
        for reject in rejects where !report.rejects.contains(where: { $0.reason == reject.reason }) {
            report.rejects.append(reject)
        }
        var compared: [String?]?
        if case .unusualVolume = reason { compared = FormerWeeks(before: plan.date, in: output).versions }
        let load = HeldLoad(
            reason: reason,
            rejected: plan.outcomes(results).filter { $0.outcome == .rejected }.map { count in
                HeldLoad.RejectCount(source: count.source, reason: count.reason, records: count.records)
            }, files: plan.heldFiles(results), pipeline: plan.pipeline.fingerprint, installed: standing?.version,
            compared: compared)
        do {
            try load.write(rejects, plan.date, in: output)
        } catch {
            report.verdict = .failed(error)
        }
    }

    /// Adds up the results of the files. Returns whether all files are whole.
    private func summarise(_ reading: LogDateReading, into report: inout LogDateReport) -> Bool {
        report.files = reading.results.count
        for result in reading.results {
            let path = result.file.found.path
            report.tally += result.tally
            report.bytes += result.report.bytes
            switch result.report.status {
            case .ok: break
            case .truncated:
                report.partialCauses.append(.truncatedFile(path: path))
                let isGzipped = result.report.isGzipped
                report.warnings.append(isGzipped ? .truncatedFile(path: path) : .shortenedFile(path: path))
            case .damaged:
                report.partialCauses.append(.damagedFile(path: path))
                report.warnings.append(.damagedFile(path: path, wholeMembers: result.report.wholeMembers))
            }
            if let offset = result.report.trailingBytesAt {
                report.warnings.append(.trailingBytes(path: path, offset: offset))
            }
        }
        report.partialCauses += plan.missingSources.map { .missingSource(name: $0.name) }
        report.warnings += plan.missingSources.map {
            .missingSource(name: $0.name, pattern: $0.files.text(on: plan.date))
        }
        report.warnings += Plausibility(plan, reading.results).ofRecords
        return reading.results.allSatisfy { $0.report.status == .ok }
    }

    /// The summary of the installed partition; nil if there is no readable one.
    private var standing: PartitionSummary? {
        try? Partition(logDate: Int32(plan.date.dayNumber), folder: output).summary
    }

    private func install(_ reading: LogDateReading, _ status: PartitionStatus, _ report: inout LogDateReport) throws {
        let writer = try PartitionWriter(logDate: Int32(plan.date.dayNumber), folder: output)
        let merged = try plan.merge(reading, into: writer, jobs: resources.jobs, stop: resources.stop)
        report.events = merged.events
        report.days = merged.standalone.tables.daily.days
        report.warnings += Plausibility(plan, reading.results).ofEvents(merged.standalone.tables.daily)
        guard merged.records == report.tally.accepted else {
            throw AccountsError.partitionMismatch(
                logDate: plan.date.description, accepted: report.tally.accepted, events: merged.events,
                duplicates: merged.records - merged.events)
        }
        let files = reading.results.map { plan.loadedFile($0) }
        for file in files { try writer.write(file) }
        for outcome in plan.outcomes(reading.results) { try writer.write(outcome) }
        for result in reading.results {
            for reject in result.rejects { try writer.write(reject) }
        }
        let version = plan.version(status, files)
        writer.conclude(
            PartitionSummary(
                logDate: Int32(plan.date.dayNumber), status: status, files: files.count,
                records: report.tally.records, accepted: report.tally.accepted, filtered: report.tally.filtered,
                rejected: report.tally.rejected, events: merged.events, duplicates: report.duplicates,
                clockFallback: report.tally.clockFallback, pipeline: plan.pipeline.fingerprint,
                zone: plan.pipeline.zone.version, windowDays: plan.pipeline.windowDays, version: version))
        try resources.stop.check()
        let remembered = plan.remembered(reading, version: version)
        // The installed partition may have been damaged since it was written.
        report.isUnchanged =
            standing?.version == version
            && (try? Partition(logDate: Int32(plan.date.dayNumber), folder: output).verify()) != nil
        if report.isUnchanged {
            writer.discard()
        } else {
            try writer.install()
        }
        remembered.write(plan.date, in: output)
        RememberedCandidates.remove(plan.date, in: output)
        try HeldLoad.remove(plan.date, in: output)
    }
}

extension LogDatePlan {
    fileprivate func loadedFile(_ result: FileResult) -> LoadedFile {
        LoadedFile(
            source: pipeline.sources[result.file.source].name, path: result.file.found.path,
            bytes: result.report.bytes, fingerprint: result.report.fingerprint, content: result.report.content,
            status: result.report.status, records: result.tally.records, accepted: result.tally.accepted,
            filtered: result.tally.filtered,
            rejected: result.tally.rejected)
    }

    /// The records of each source, without those that are `not_tracking`. A required source without files is left out, since
    /// the log date is partial for it.
    fileprivate func volumes(_ results: [FileResult]) -> [(source: String, records: Int)] {
        pipeline.sources.enumerated().compactMap { index, source in
            let results = results.filter { $0.file.source == index }
            if results.isEmpty && source.required { return nil }
            return (source.name, results.reduce(0) { $0 + $1.tally.records - $1.tally.count(.notTracking) })
        }
    }

    /// The files of a load that is held back. If they were not read, only their stamps are known.
    fileprivate func heldFiles(_ results: [FileResult]) -> [HeldLoad.File] {
        guard results.isEmpty else {
            return results.map { result in
                HeldLoad.File(
                    source: pipeline.sources[result.file.source].name, path: result.file.found.path,
                    bytes: result.report.bytes, fingerprint: result.report.fingerprint, stamp: result.report.stamp,
                    isOK: result.report.status == .ok, content: result.report.content)
            }
        }
        return files.map { file in
            HeldLoad.File(
                source: pipeline.sources[file.source].name, path: file.found.path, bytes: file.found.bytes,
                fingerprint: nil, stamp: FileStamp(path: file.found.location), isOK: nil, content: nil)
        }
    }

    fileprivate func remembered(_ reading: LogDateReading, version: String) -> RememberedInputs {
        let files = reading.results.compactMap { result -> RememberedInputs.File? in
            guard let stamp = result.report.stamp else { return nil }
            let file = result.file
            return RememberedInputs.File(
                source: pipeline.sources[file.source].name, path: file.found.path, stamp: stamp)
        }
        return RememberedInputs(version: version, files: files)
    }

    /// The records of each source by outcome and reason. Outcomes that did not occur are left out.
    fileprivate func outcomes(_ results: [FileResult]) -> [OutcomeCount] {
        pipeline.sources.indices.flatMap { index -> [OutcomeCount] in
            var tally = FileTally()
            for result in results where result.file.source == index { tally += result.tally }
            let name = pipeline.sources[index].name
            let all =
                [OutcomeCount(source: name, outcome: .accepted, reason: "", records: tally.accepted)]
                + FilterReason.allCases.map {
                    OutcomeCount(source: name, outcome: .filtered, reason: $0.code, records: tally.count($0))
                }
                + RejectReason.allCases.map {
                    OutcomeCount(source: name, outcome: .rejected, reason: $0.code, records: tally.count($0))
                }
            return all.filter { $0.records > 0 }
        }
    }

    /// A fingerprint of all that the partition's content depends on: the program, the pipeline, and the files.
    fileprivate func version(_ status: PartitionStatus, _ files: [LoadedFile]) -> String {
        let parts =
            [programVersion, pipeline.fingerprint, pipeline.zone.version, date.description, status.rawValue]
            + files.flatMap { [$0.source, $0.path, $0.fingerprint, $0.status.rawValue] }
        let bytes = Array(parts.joined(separator: "\0").utf8)
        return WordHash.of(bytes.span, seed: 1).hexDigits + WordHash.of(bytes.span, seed: 2).hexDigits
    }
}
