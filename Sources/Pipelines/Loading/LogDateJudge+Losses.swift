import Events
import Partitions
import Posix

extension LogDateJudge {
    /// Why a load must not replace the installed partition: it would lose events, though no file of their source is gone. Nil
    /// if it may.
    ///
    /// - Parameter events: those of the load, by the numbers of source and action.
    package func lossReason(_ events: [Int: [Int: Int]], _ results: [FileResult]) throws -> HoldReason? {
        guard !resources.force, !resources.acceptsLoss, let (installed, files, before) = try standingEvents()
        else { return nil }
        let names = EventNames(sources: plan.pipeline.sources.map(\.name), actions: plan.pipeline.actionNames)
        let now = names.named(events)
        var losses = before.keys.sorted().flatMap { source in
            EventLoss.losses(of: source, before: before[source] ?? [:], now: now[source] ?? [:])
        }
        if installed.summary.pipeline == plan.pipeline.fingerprint {
            // The same records are accepted. If they have fewer events, those of another source come before them.
            let read = Dictionary(
                results.map { ($0.file.key(in: plan.pipeline), plan.loadedFile($0)) }, uniquingKeysWith: { $1 })
            losses.removeAll { loss in
                files.allSatisfy { $0.source != loss.source || read[InputKey($0.source, $0.path)] == $0 }
            }
        }
        guard !losses.isEmpty else { return nil }
        let gone = try goneFiles()
        losses.removeAll { loss in
            files.contains { $0.source == loss.source && gone.contains(InputKey($0.source, $0.path)) }
        }
        guard !losses.isEmpty else { return nil }
        let keys = (try? installed.pipelineKeys()).map { plan.pipeline.keysChanged(since: $0) }
        return .loss(losses, keys: keys ?? [])
    }

    /// The installed partition with its files, and its events by source and action. Nil if there is none, or if it is damaged:
    /// then there is nothing to lose. Another error may pass, so the load fails.
    private func standingEvents() throws(WarehouseError) -> (Partition, [LoadedFile], [String: [String: Int]])? {
        do {
            let partition = try Partition(logDate: Int32(plan.date.dayNumber), folder: output)
            return (partition, try partition.files(), try output.eventsBySourceAndAction(of: partition))
        } catch {
            if case .missing = error { return nil }
            guard error.isDamage else { throw error }
            return nil
        }
    }

    /// Files of the installed partition that do not exist any more. One that the pipeline does not look for any more does.
    private func goneFiles() throws(Stopped) -> Set<InputKey> {
        let check = InputCheck(pipeline: plan.pipeline, output: output, resources: resources, closed: nil)
        let comparisons = try check.findings([plan.date], FoundInputs(plan))
        let read = Set(plan.files.map { $0.key(in: plan.pipeline) })
        return Set(comparisons.flatMap(\.gone)).filter { file in
            let location = file.path.hasPrefix("/") ? file.path : "\(plan.pipeline.folder)/\(file.path)"
            // Another file may have its name now.
            return read.contains(file) || FileStamp(path: location) == nil
        }
    }
}

extension OutputFolder {
    /// The standalone events of an installed partition, with those of its shards, by source and action.
    fileprivate func eventsBySourceAndAction(
        of partition: Partition
    ) throws(WarehouseError) -> [String: [String: Int]] {
        let logDate = partition.summary.logDate
        guard let manifest = try? manifest(of: logDate) else { return try partition.eventsBySourceAndAction() }
        var sums: [String: [String: Int]] = [:]
        for number in manifest.shards.indices {
            let shard = shard(number, versions: [logDate: manifest.version])
            let events = try Partition(logDate: logDate, folder: shard).eventsBySourceAndAction()
            sums.merge(events) { $0.merging($1, uniquingKeysWith: +) }
        }
        return sums
    }
}
