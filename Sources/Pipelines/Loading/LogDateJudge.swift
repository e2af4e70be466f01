import Calendar
import Events
import Foundation
import LogFiles
import Messages
import Partitions
import Posix

/// Decides what becomes of a log date whose files have been read: a complete or a partial partition, or a load that is
/// held back. It writes nothing.
struct LogDateJudge {
    let plan: LogDatePlan
    let output: OutputFolder
    let resources: RunResources

    /// The summary of the installed partition; nil if there is no readable one.
    var standing: PartitionSummary? {
        try? Partition(of: plan.date, in: output).summary
    }

    /// The held-back load to store. `results` is empty if not all files were read.
    func heldLoad(_ reason: HoldReason, results: [FileResult], totals: FileTotals) -> HeldLoad {
        let installed = standing?.version
        return HeldLoad(
            reason, of: plan.date,
            rejected: totals.outcomes.filter { $0.outcome == .rejected }.map { count in
                HeldLoad.RejectCount(source: count.source, reason: count.reason, records: count.records)
            }, files: plan.heldFiles(results), pipeline: plan.pipeline, sources: plan.loadedSources,
            installed: installed,
            rejects: results.flatMap(\.rejects), since: HeldLoad(plan.date, in: output, installed: installed))
    }

    /// Why the load must not replace the installed partition; nil if it may. With `--force`, limits do not hold it
    /// back, and a partial load may replace a complete partition. What stands already is not held back, even if the
    /// limits have changed.
    func holdReason(of results: [FileResult], totals: FileTotals) -> HoldReason? {
        faultReason(of: results, totals: totals).flatMap { stands(results) ? nil : $0 } ?? partialReason(totals)
    }

    /// Whether the installed partition was made from the same file contents by a pipeline file of the same meaning. One
    /// that cannot be read does not stand.
    private func stands(_ results: [FileResult]) -> Bool {
        guard versionOfSameFiles(results) != nil, isStandingSound,
            let partition = try? Partition(of: plan.date, in: output), let outcomes = try? partition.outcomes()
        else { return false }
        return plan.pipeline.means(
            sameAs: partition.summary.pipeline, sources: partition.summary.sources,
            misfits: Set(outcomes.filter { reasonsOfMisfits.contains($0.reason) }.map(\.source)))
    }

    /// Faults of the files, or more of them than the limits allow.
    private func faultReason(of results: [FileResult], totals: FileTotals) -> HoldReason? {
        let tally = totals.tally
        let limit = plan.pipeline.rejectRatio
        let damaged = results.filter { $0.report.status != .ok }.map(\.file.found.path)
        if !damaged.isEmpty, plan.pipeline.damagedFiles == .fail { return .damagedFiles(paths: damaged) }
        for result in results {
            if let fault = result.tally.headerFault { return .csvHeader(path: result.file.found.path, fault) }
        }
        if resources.force { return nil }
        if Double(tally.rejected) / Double(max(1, tally.records)) > limit {
            return .tooManyRejects(rejected: tally.rejected, records: tally.records, limit: limit)
        }
        if let source = sourceOfLongLines(totals) {
            return .linesTooLong(source: source.name, records: source.records)
        }
        return nil
    }

    private func partialReason(_ totals: FileTotals) -> HoldReason? {
        guard !resources.force, !totals.partialCauses.isEmpty, let standing, standing.status == .complete,
            plan.pipeline.missingSources(of: standing).isEmpty, isStandingSound
        else { return nil }
        return .partial(causes: totals.partialCauses)
    }

    /// The version of the installed partition, if it was made from the same file contents as this load; else nil.
    func versionOfSameFiles(_ results: [FileResult]) -> String? {
        // A partition that cannot be read counts as made from other files.
        guard let partition = try? Partition(of: plan.date, in: output), let files = try? partition.files(),
            files.count == results.count
        else { return nil }
        let names = plan.pipeline.renamed(partition.summary.sources)
        var counts: [FileContent: Int] = [:]
        for file in files { counts[FormerFile(file).renamed(names).recordedContent, default: 0] += 1 }
        func take(_ content: FileContent) -> Bool {
            guard let count = counts[content], count > 0 else { return false }
            counts[content] = count - 1
            return true
        }
        let others = results.filter { !take(FormerFile(plan.loadedFile($0)).recordedContent) }
        let sizes = Set(files.map { $0.content?.bytes ?? $0.bytes })
        let isSame = others.allSatisfy { result in
            let report = result.report
            return sizes.contains(report.content?.bytes ?? report.bytes) && contentIfRepacked(result).map(take) ?? false
        }
        return isSame ? partition.summary.version : nil
    }

    /// The content of a packed file as a load records that of a plain one, and the other way round. Reads the file. Nil
    /// if it is not as it was loaded, or cannot be read: then it counts as another content, and its warnings are told.
    private func contentIfRepacked(_ result: FileResult) -> FileContent? {
        let loaded = FormerFile(plan.loadedFile(result))
        let read = try? ContentReading.read(result.file.found.location) { _ in try resources.stop.check() }
        guard let reading = read?.reading else { return nil }
        let packed = FileContent(source: loaded.source, unpacked: reading.content)
        let plain = FileContent(source: loaded.source, fingerprint: reading.fingerprint)
        return loaded.recordedContent == packed ? plain : loaded.recordedContent == plain ? packed : nil
    }

    /// The first source with no accepted record and some records that are too long, and the number of the latter.
    private func sourceOfLongLines(_ totals: FileTotals) -> (name: String, records: Int)? {
        for (source, tally) in zip(plan.pipeline.sources, totals.tallies) where tally.accepted == 0 {
            let tooLong = tally.count(.lineTooLong)
            if tooLong > 0 { return (source.name, tooLong) }
        }
        return nil
    }
}

extension LogDateJudge {
    /// The reason to hold the load back because it would lose events; nil if it may replace the installed partition.
    ///
    /// - Parameter events: the load's events, by the numbers of source and action.
    func lossReason(_ events: [Int: [Int: Int]]) throws -> HoldReason? {
        guard !resources.force, let (summary, standing) = try standingEvents() else { return nil }
        let renamed = plan.pipeline.renamed(summary.sources)
        let before = Dictionary(standing.map { (renamed[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
        let now = EventNames(sources: plan.pipeline.sources.map(\.name), actions: plan.pipeline.actionNames).named(
            events)
        let losses = before.keys.sorted().flatMap { source in
            EventLoss.losses(of: source, before: before[source] ?? [:], now: now[source] ?? [:])
        }
        return losses.isEmpty ? nil : .loss(losses, isOfOtherPipeline: summary.pipeline != plan.pipeline.fingerprint)
    }

    /// Whether the installed partition is undamaged. Any load may replace a damaged one.
    private var isStandingSound: Bool {
        do {
            try Partition(of: plan.date, in: output).verify { resources.stop.isRaised }
            return true
        } catch let error as OutputError where error.isDamage {
            return false
        } catch {
            // The error may be temporary, so the partition counts as sound.
            return true
        }
    }

    /// The summary of the installed partition, and its events by source and action. Nil if there is no partition, or a
    /// damaged one: there is nothing to lose. Other errors may be temporary, so they end the load.
    private func standingEvents() throws -> (PartitionSummary, events: [String: [String: Int]])? {
        do {
            let partition = try Partition(of: plan.date, in: output)
            try partition.verify { resources.stop.isRaised }
            return (partition.summary, try partition.eventsBySourceAndAction())
        } catch let error as OutputError where error.kind == .missing || error.isDamage {
            return nil
        }
    }
}
