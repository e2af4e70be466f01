import Hashing
import LogFiles
import Partitions
import Posix
import Records

// What is stored about the files of a log date beside their events.

extension LogDatePlan {
    /// Writes the files, outcomes and rejects of a load, and the summary. `report` must have its counts.
    package func writeAccounts(
        _ results: [FileResult], _ status: PartitionStatus, version: String, _ report: LogDateReport,
        to writer: PartitionWriter
    ) throws(WarehouseError) {
        for result in results { try writer.write(loadedFile(result)) }
        for outcome in outcomes(results) { try writer.write(outcome) }
        try writer.write(pipelineKeys: pipeline.keyHashes)
        for result in results {
            for reject in result.rejects { try writer.write(reject) }
        }
        writer.conclude(
            PartitionSummary(
                logDate: Int32(date.dayNumber), status: status, files: results.count,
                records: report.tally.records, accepted: report.tally.accepted, filtered: report.tally.filtered,
                rejected: report.tally.rejected, events: report.events, duplicates: report.duplicates,
                clockFallback: report.tally.clockFallback, pipeline: pipeline.fingerprint,
                zone: pipeline.zoneText(on: date, isUsed: report.tally.usesZone), windowDays: pipeline.windowDays,
                version: version))
    }

    /// Installs a partition of the log date, unless there is one with the same content. Returns whether there is.
    /// - Parameter version: that of the partition.
    /// - Throws: `Stopped`, `WarehouseError`.
    package func install(
        _ writer: PartitionWriter, version: String, in folder: OutputFolder, stop: StopFlag
    ) throws -> Bool {
        try stop.check()
        // It may have been damaged since it was written. Whatever is wrong with it, the new one replaces it.
        let installed = try? Partition(logDate: Int32(date.dayNumber), folder: folder)
        let isSound =
            installed?.summary.version == version && (try? installed?.verify { stop.isRaised }) != nil
        try stop.check()
        if isSound { writer.discard() } else { try writer.install() }
        return isSound
    }

    /// Notes that the log date is loaded: stores the stamps of its files, and forgets an earlier hold.
    package func noteLoaded(_ results: [FileResult], version: String, in held: HeldOutput) throws(WarehouseError) {
        let remembered = results.compactMap { result in
            result.report.stamp.map { RememberedInputs.File(result.file.key(in: pipeline), stamp: $0) }
        }
        RememberedInputs(version: version, files: remembered).write(date, in: held)
        try HeldLoad.remove(date, in: held)
    }

    func loadedFile(_ result: FileResult) -> LoadedFile {
        LoadedFile(
            source: pipeline.sources[result.file.source].name, path: result.file.found.path,
            bytes: result.report.bytes, fingerprint: result.report.fingerprint, content: result.report.content,
            status: result.report.status, records: result.tally.records, accepted: result.tally.accepted,
            filtered: result.tally.filtered,
            rejected: result.tally.rejected)
    }

    /// The records of each source, without those that are `not_tracking`. A required source without files is left out, since
    /// the log date is partial for it.
    func volumes(_ results: [FileResult]) -> [(source: String, records: Int)] {
        pipeline.sources.enumerated().compactMap { index, source in
            let results = results.filter { $0.file.source == index }
            if results.isEmpty && source.required { return nil }
            return (source.name, results.reduce(0) { $0 + $1.tally.records - $1.tally.count(.notTracking) })
        }
    }

    /// The files of a load that is held back. If they were not read, only their stamps are known.
    func heldFiles(_ results: [FileResult]) -> [FormerFile] {
        guard results.isEmpty else { return results.map { FormerFile(loadedFile($0), stamp: $0.report.stamp) } }
        return zip(files, stamps).map { file, stamp in
            FormerFile(
                source: pipeline.sources[file.source].name, path: file.found.path, bytes: file.found.bytes,
                stamp: stamp)
        }
    }

    /// The records of each source by outcome and reason. Outcomes that did not occur are left out.
    package func outcomes(_ results: [FileResult]) -> [OutcomeCount] {
        pipeline.sources.enumerated().flatMap { index, source in
            var tally = FileTally()
            for result in results where result.file.source == index { tally += result.tally }
            return tally.counts.map { count in
                OutcomeCount(
                    source: source.name, outcome: count.outcome, reason: count.reason, records: count.records)
            }
        }
    }

    /// A fingerprint of all that the partition's content depends on: the program, the pipeline, and the files.
    ///
    /// - Parameter layout: how the content is laid out in the output, if not in one partition.
    package func version(_ status: PartitionStatus, _ results: [FileResult], layout: [String] = []) -> String {
        let parts =
            [programVersion, pipeline.fingerprint, pipeline.zoneVersions, date.description, status.rawValue]
            + results.map { loadedFile($0) }.flatMap { [$0.source, $0.path, $0.fingerprint, $0.status.rawValue] }
            + layout
        let bytes = Array(parts.joined(separator: "\0").utf8)
        return WordHash.of(bytes.span, seed: 1).hexDigits + WordHash.of(bytes.span, seed: 2).hexDigits
    }
}
