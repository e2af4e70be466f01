import Reference
import SQLite
import Support

/// What must hold of loads that are held back.
extension HistoryRun {
    /// A log date is not held back while its files and the pipeline are those of what is loaded. One that a backfill
    /// leaves alone is held back by what stands there now.
    func checkHolds(
        _ command: LoadingCommand, _ inputs: HistoryInputs, _ new: PushSnapshot, _ outcome: LoadingOutcome
    ) throws {
        let held = Set((new.tables["held"]?.rows ?? []).compactMap(PushSnapshot.logDate))
        for date in command.dates where held.contains("log_date=\"\(date)\"") && isAsLoaded(date, inputs) {
            throw HistoryFault(.verdict, "\(date) is held back for nothing: \(outcome.summary)")
        }
        let isBackfill = command.arguments.hasPrefix("backfill --from") && !command.arguments.contains("--only")
        guard isBackfill, command.circumstance == .undisturbed else { return }
        for date in outcome.stillHeld.intersection(command.dates) where loads.isKnown(date) {
            guard !inputs.unreadable.contains(date), !outcome.shrunk.contains(date),
                mayBeLoaded(date, command, inputs, standing: loads.standing(date))
            else { continue }
            throw HistoryFault(.verdict, "\(date) would be loaded, and was left alone: \(outcome.summary)")
        }
    }

    /// Nor does `status` show a hold once the files are those of the partition again.
    func checkHeldStates(_ inputs: HistoryInputs) throws {
        let mended = heldBack.filter { isAsLoaded($0, inputs) && !inputs.unreadable.contains($0) }
        if mended.isEmpty || !obstacles.isEmpty { return }
        let held = try RotationLaw.held(shell)
        if let date = mended.first(where: { held.contains("\($0)") }) {
            throw HistoryFault(.verdict, "status shows \(date) as held back, and its files are those of its partition")
        }
    }

    /// Whether a partition was made of the files as they are now, by the same pipeline. After a kill, or beside another command, it
    /// tells its files itself.
    private func isAsLoaded(_ date: Day, _ inputs: HistoryInputs) -> Bool {
        if inputs.unreadable.contains(date) { return false }
        let files = inputs.files(date)
        let possible = loads.tampered.contains(date) ? [] : loads.loads(of: date).compactMap(\.partition)
        let ofFiles = possible.filter { isMade($0, of: files) }
        let fitting = ofFiles.filter { $0.pipeline == pipeline }
        if fitting.isEmpty || loads.isKnown(date) { return !fitting.isEmpty }
        // It does not tell by which pipeline.
        if fitting.count < ofFiles.count { return false }
        let path = shell.folder.path("out/partitions/\(date).sqlite")
        let sizes: [String] = (try? Database(path).column("SELECT path || bytes FROM files ORDER BY path")) ?? []
        return sizes == files.map { "\($0.path)\($0.bytes.count)" }
    }

    /// Whether a log date has files, and its load is not held back.
    func mayBeLoaded(
        _ date: Day, _ command: LoadingCommand, _ inputs: HistoryInputs, standing: Partition? = nil
    ) -> Bool {
        judge(date, inputs, force: command.isForced, standing: standing).verdict == .loaded
    }

    /// What a load of a log date comes to. Its files are read again only if they or the pipeline are others than the last time:
    /// reading takes the reference longer than a command.
    func judge(
        _ date: Day, _ inputs: HistoryInputs, force: Bool, standing: Partition?
    ) -> (verdict: ReferenceWarehouse.Verdict, exitCode: Int32, partition: Partition?) {
        ReferenceWarehouse.judge(
            date, files: inputs.files(date), pipeline: pipeline, force: force, standing: standing
        ) { date, files, pipeline in
            if let known = readLast[date], isMade(known, of: files), known.pipeline == pipeline { return known }
            let partition = Partition(logDate: date, files: files, pipeline: pipeline)
            readLast[date] = partition
            return partition
        }
    }

    private func isMade(_ partition: Partition, of files: [InputFile]) -> Bool {
        partition.files.map { [Bytes($0.path), $0.stored] } == files.map { [Bytes($0.path), $0.bytes] }
    }
}
