import Calendar
import LogFiles
import Messages
import Output
import Partitions

extension PipelineRun {
    /// Loads what the request wants.
    /// - Parameter loading: nil if the output is not locked and nothing is to be written: no log date has files then.
    func load(
        _ request: DateRequest, from found: FoundInputs, by loading: (loader: any LogDateLoader, locked: LockedOutput)?
    ) throws -> LoadsReport {
        let closed = try closedDates()
        if closed == nil {
            // What is loaded in any case is not compared below. A partition that has settled tells that the record is
            // lost.
            for date in try [request.always, output.logDates().min()].compactMap({ $0 }) {
                guard let partition = output.partition(of: date) else { continue }
                _ = try closed.accepted(.sound(partition.summary), of: date, in: output)
            }
        }
        let check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        let compared = try check.states(
            of: request.dates.filter { $0 != request.always || closed?.holds($0) ?? false }, in: found)
        if let loading {
            for state in compared { state.remembered?.write(state.date, in: loading.locked) }
        }
        let states = Dictionary(uniqueKeysWithValues: compared.map { ($0.date, $0) })
        let wanted = request.wanted(states)
        let skipped = request.dates.filter { !wanted.contains($0) }.compactMap { states[$0] }
        let dates = request.dates.filter(wanted.contains)
        guard let loading else {
            let unread = dates.map { LogDateReport(unread: $0, found: found) }
            return LoadsReport(
                dates: unread.map { $0.compared(with: states[$0.date]) }, earlier: [],
                skipped: skipped, heldBack: skipped.filter(request.isHeldBack), hasInput: false)
        }
        try endHolds(of: compared, check: check, in: loading.locked)
        let loaded = try loading.loader.load(dates, from: found, in: loading.locked)
        // The comparison with earlier log dates needs all loads to have ended.
        var usual = try UsualLoads(of: pipeline, in: output)
        let earlier = pendingLoads(beside: loaded, usual: &usual, in: loading.locked)
        let standing = standingWarnings(of: loaded, earlier: earlier)
        let reports = loaded.map { report in
            report.compared(
                with: states[report.date], standing: standing[report.date],
                usual: report.isLoaded ? usual.warnings(report.date) : [], isForced: resources.force)
        }
        return LoadsReport(
            dates: reports, earlier: earlier, skipped: skipped, heldBack: skipped.filter(request.isHeldBack),
            hasInput: hasInput(for: request, found: found, reports: reports, skipped: skipped))
    }

    /// Whether there was anything to load. Earlier log dates of a catch-up that need nothing do not count.
    private func hasInput(
        for request: DateRequest, found: FoundInputs, reports: [LogDateReport], skipped: [LogDateState]
    ) -> Bool {
        if request.always != nil {
            return reports.contains { !$0.hasNoFiles } || skipped.contains { $0.phase != .open && $0.files > 0 }
        }
        return request.dates.isEmpty || request.dates.contains { !found.files(on: $0).isEmpty }
    }

    /// Ends holds that are over: the files and the pipeline are again those of the partition. Log dates outside the
    /// request are included.
    /// - Parameter states: the states of the log dates that were compared already.
    private func endHolds(of states: [LogDateState], check: InputCheck, in locked: LockedOutput) throws {
        let compared = Set(states.map(\.date))
        let others = try output.heldDates().filter { !compared.contains($0) }
        let further = try check.states(of: others, in: FoundInputs(pipeline, dates: others, dated: true))
        for state in states + further where state.isHoldOver { try HeldLoad.remove(state.date, in: locked) }
    }

    /// Loads of killed commands that were never told, with warnings about what these log dates lack.
    private func pendingLoads(
        beside loaded: [LogDateReport], usual: inout UsualLoads, in locked: LockedOutput
    ) -> [PendingLoad] {
        // Without a readable push.db, all pending loads count as unpublished.
        let published = (try? database.publishedVersions()) ?? [:]
        let installed = Set(loaded.filter(\.isInstalled).map(\.date))
        var loads: [PendingLoad] = []
        for date in PendingLoad.dates(in: output) where !installed.contains(date) {
            if let load = PendingLoad(date, in: output), load.version != published[date],
                load.version == output.partition(of: date)?.summary.version
            {
                loads.append(load.adding(usual.warnings(date)))
            } else {
                // The load was published already, or its partition was never installed.
                PendingLoad.remove(date, in: locked)
            }
        }
        return loads
    }

    /// The warnings that the history, or a pending load, has of partitions made from the same files.
    private func standingWarnings(
        of loaded: [LogDateReport], earlier: [PendingLoad]
    ) -> [LogDate: LoadWarnings] {
        let versions = loaded.compactMap { report in report.versionOfSameFiles.map { (report.date, $0) } }
        let recorded = versions.isEmpty ? [:] : database.recordedWarnings()
        let known = versions.compactMap { date, version in
            recorded[date].flatMap { $0.version == version ? (date, $0.warnings) : nil }
        }
        return Dictionary(known + earlier.map { ($0.date, $0.recorded) }) { $1 }
    }
}
