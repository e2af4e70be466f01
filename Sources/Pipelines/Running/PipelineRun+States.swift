import Calendar
import LogFiles
import Messages
import Output
import Partitions

extension PipelineRun {
    /// Ten years.
    private static let longestGap = 3653

    /// The states of all log dates, from the first to the last that is loaded, held back or has files, within `from` and
    /// `to`. Writes nothing, and reads at most `readLimit` bytes of logs, of the latest log dates first,
    /// without unpacking them.
    ///
    /// - Throws: `WarehouseError` if the partitions cannot be listed, or `Stopped`.
    package func knownLogDates(from: LogDate? = nil, to: LogDate? = nil, readLimit: Int) throws -> KnownLogDates {
        var known = KnownLogDates()
        let loaded = try output.logDates().map { LogDate(dayNumber: Int($0)) }
        var dates = Set(loaded).union(try HeldLoad.logDates(in: output))
        var leftOut: Set<String> = []
        for source in pipeline.sources where source.files.hasDatePlaceholder {
            guard source.files.atURIs.isEmpty else {
                // Only Hadoop knows which files there are.
                leftOut.insert(source.name)
                continue
            }
            if let folder = source.files.missingFolder(in: pipeline.folder) {
                // The disk may not be mounted, so nothing is known about the files.
                leftOut.insert(source.name)
                known.warnings.append(
                    Message(
                        "missing_folder",
                        """
                        source '\(source.name)': the folder \(path: folder) does not exist; check 'files' in \
                        \(pipeline.file); its files were not compared
                        """))
                continue
            }
            do {
                dates.formUnion(try source.files.dates(in: pipeline.folder))
            } catch {
                known.failures.append(error)
            }
        }
        let ordered = PipelineRun.withGaps(dates.sorted()).filter { date in
            from.map { date >= $0 } ?? true && to.map { date <= $0 } ?? true
        }
        let closed = try ClosedDates(in: output)
        known.closedThrough = closed?.through.map { LogDate(dayNumber: Int($0)) }
        var check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        check.leftOut = leftOut
        check.readLimit = readLimit
        check.mayUnpack = false
        let found = FoundInputs(pipeline, dates: ordered, dated: true)
        known.states = try check.findings(ordered, found).map(\.state)
        let warnings = try database.warnings()
        for index in known.states.indices {
            known.states[index].warnings = warnings[known.states[index].date] ?? LoadWarnings()
        }
        return known
    }

    /// The published log dates of a former pipeline; nil if there are none, or only Hadoop knows which files there are. Looks
    /// for their files, and reads none.
    ///
    /// - Throws: `Stopped`.
    package func formerPipeline() throws(Stopped) -> FormerPipeline? {
        let fingerprint = pipeline.fingerprint
        guard let pipelines = try? database.pipelines(),
            pipelines.contains(where: { $0.value != fingerprint }),
            pipeline.sources.allSatisfy(\.files.atURIs.isEmpty)
        else { return nil }
        // What is wrong with the record, the commands that need it say.
        let closed = (try? ClosedDates(in: output)) ?? nil
        let dates = pipelines.filter { $1 != fingerprint && closed?.holds($0) != true }.keys.sorted().map {
            LogDate(dayNumber: Int($0))
        }
        guard !dates.isEmpty else { return nil }
        var check = InputCheck(pipeline: pipeline, output: output, resources: resources, closed: closed)
        check.readLimit = 0
        check.mayUnpack = false
        let states = try check.findings(dates, FoundInputs(pipeline, dates: dates, dated: true)).map(\.state)
        return FormerPipeline(states, loaded: pipelines.keys.map { LogDate(dayNumber: Int($0)) })
    }

    /// Adds the log dates between them, unless the first and the last are so far apart that a date must be wrong.
    private static func withGaps(_ dates: [LogDate]) -> [LogDate] {
        guard let first = dates.first, let last = dates.last, last.dayNumber - first.dayNumber < longestGap else {
            return dates
        }
        return (first.dayNumber...last.dayNumber).map { LogDate(dayNumber: $0) }
    }
}
